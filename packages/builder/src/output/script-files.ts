/** The scripts of pages as files of the site. */

import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import type { SiteOutput } from './site-output.ts'

/** All names in it change with the content: what a browser has once it may keep forever. */
const SCRIPTS_FOLDER = `${OWN_FOLDER}/scripts`

/** Writes what every site has, and gives the address of what every page loads. */
export function writeScripts(output: SiteOutput, { site, lazy }: CompiledScripts): string {
  for (const { name, code } of [site, ...lazy])
    output.write(`${SCRIPTS_FOLDER}/${name}`, code, { access: 'public' })
  return `/${SCRIPTS_FOLDER}/${site.name}`
}

/** Writes the library for diagrams. A build that finds it there does not load it. */
export async function writeMermaid(output: SiteOutput, scripts: CompiledScripts): Promise<void> {
  const folder = `${SCRIPTS_FOLDER}/${scripts.mermaidFolder}`
  const facts = { key: scripts.mermaidFolder, access: 'public' } as const
  const before = output.earlier().filter((path) => path.startsWith(`${folder}/`))
  const isThere = before.includes(`${folder}/mermaid.js`)
  if (isThere && before.every((path) => output.keep(path, facts))) return
  const { compileMermaid } = await import('../scripts/compile-scripts.ts')
  for (const { name, code } of await compileMermaid()) {
    output.write(`${folder}/${name}`, code, facts)
  }
}
