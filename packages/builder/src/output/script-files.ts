/** Writes page scripts as files of the site. */

import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import type { SiteOutput } from './site-output.ts'

/** All file names contain a content hash, so browsers can cache them forever. */
const SCRIPTS_FOLDER = `${OWN_FOLDER}/scripts`

/** Writes the scripts of every site and returns the URL of the one that every page loads. */
export function writeScripts(output: SiteOutput, { site, lazy }: CompiledScripts): string {
  for (const { name, code } of [site, ...lazy])
    output.write(`${SCRIPTS_FOLDER}/${name}`, code, { access: 'public' })
  return `/${SCRIPTS_FOLDER}/${site.name}`
}

/** Writes the diagram library, without compiling it if its files exist. */
export async function writeMermaid(output: SiteOutput, scripts: CompiledScripts): Promise<void> {
  const folder = `${SCRIPTS_FOLDER}/${scripts.mermaidFolder}`
  const facts = { key: scripts.mermaidFolder, access: 'public' } as const
  const before = output.earlier().filter((path) => path.startsWith(`${folder}/`))
  const pageExists = before.includes(`${folder}/mermaid.js`)
  if (pageExists && before.every((path) => output.keep(path, facts))) return
  const { compileMermaid } = await import('../scripts/compile-scripts.ts')
  for (const { name, code } of await compileMermaid()) {
    output.write(`${folder}/${name}`, code, facts)
  }
}
