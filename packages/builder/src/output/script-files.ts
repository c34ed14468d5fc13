/** Writes page scripts as files of the site. */

import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import type { SiteOutput } from './site-output.ts'

/**
 * The folder of scripts. All file names contain a hash of the content, so browsers can cache the
 * files forever.
 */
const SCRIPTS_FOLDER = `${OWN_FOLDER}/scripts`

/** Writes the scripts of the site and returns the URL of the script that every page loads. */
export function writeScripts(output: SiteOutput, { site, lazy }: CompiledScripts): string {
  for (const { name, code } of [site, ...lazy])
    output.write(`${SCRIPTS_FOLDER}/${name}`, code, { access: 'public' })
  return `/${SCRIPTS_FOLDER}/${site.name}`
}

/** Writes the diagram library. It is not compiled if its files already exist. */
export async function writeMermaid(output: SiteOutput, scripts: CompiledScripts): Promise<void> {
  const folder = `${SCRIPTS_FOLDER}/${scripts.mermaidFolder}`
  const facts = { key: scripts.mermaidFolder, access: 'public' } as const
  const before = output.earlier().filter((path) => path.startsWith(`${folder}/`))
  const isWritten = before.includes(`${folder}/mermaid.js`)
  if (isWritten && before.every((path) => output.keep(path, facts))) return
  const { compileMermaid } = await import('../scripts/compile-scripts.ts')
  for (const { name, code } of await compileMermaid()) {
    output.write(`${folder}/${name}`, code, facts)
  }
}
