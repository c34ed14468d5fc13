/** The scripts of pages as files of the site. */

import type { CompiledScripts } from '../browser/compile-scripts.ts'
import type { SiteOutput } from '../site-output.ts'
import { OWN_FOLDER } from './own-folder.ts'

/** All names in it change with the content: what a browser has once it may keep forever. */
const SCRIPTS_FOLDER = `${OWN_FOLDER}/scripts`

/** Writes what every site has, and gives the address of what every page loads. */
export function writeScripts(output: SiteOutput, { site, lazy }: CompiledScripts): string {
  for (const { name, code } of [site, ...lazy])
    output.write(`${SCRIPTS_FOLDER}/${name}`, undefined, code)
  return `/${SCRIPTS_FOLDER}/${site.name}`
}

/** Writes the library for diagrams. A build that finds it there does not load it. */
export async function writeMermaid(output: SiteOutput, scripts: CompiledScripts): Promise<void> {
  const folder = `${SCRIPTS_FOLDER}/${scripts.mermaidFolder}`
  const key = scripts.mermaidFolder
  const before = output.earlier().filter((path) => path.startsWith(`${folder}/`))
  const isThere = before.includes(`${folder}/mermaid.js`)
  if (isThere && before.every((path) => output.keep(path, key))) return
  const { compileMermaid } = await import('../browser/compile-scripts.ts')
  for (const { name, code } of await compileMermaid()) output.write(`${folder}/${name}`, key, code)
}

/**
 * Whether a page has a diagram that a browser has to draw, by how the theme writes its source: an
 * author's text cannot hold the quotes.
 */
export function hasDiagram(html: string): boolean {
  return html.includes(' data-oct="mermaid"')
}
