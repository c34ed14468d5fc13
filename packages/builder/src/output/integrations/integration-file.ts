/** Writes the script that loads the tools in `integrations` of docs.json. */
import type { Config } from '@octavo/model'
import { OWN_FOLDER } from '../../plan/own-folder.ts'
import type { CompiledScripts } from '../../scripts/compile-scripts.ts'
import { hashFile } from '../../source/hash-bytes.ts'
import type { SiteOutput } from '../site-output.ts'
import { consentManagers } from './consent-managers.ts'
import { loadedTools } from './tools.ts'

/** Writes the script and returns its URL, or undefined for a site without tools. */
export function writeIntegrations(
  output: SiteOutput,
  { integrations }: Config,
  { integrations: code, integrationsWithConsent }: CompiledScripts,
): string | undefined {
  const tools = loadedTools(integrations).map(({ origins: _, ...tool }) => tool)
  const managers = consentManagers(integrations).map(({ origins: _, ...manager }) => manager)
  if (tools.length === 0 && managers.length === 0) return undefined
  const { key, value } = integrations?.cookies ?? {}
  const consent = { ...(key ? { entry: { key, ...(value && { value }) } } : {}), managers }
  const text = `const INTEGRATIONS=${JSON.stringify({ tools, consent })};${managers.length === 0 ? code : integrationsWithConsent}`
  const path = `${OWN_FOLDER}/scripts/integrations-${hashFile(text).slice(0, 12)}.js`
  output.write(path, text, { access: 'public' })
  return `/${path}`
}
