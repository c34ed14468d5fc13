/** The stylesheets of the theme: one for all pages, and parts for the pages that use them. */

import {
  baseStyleFiles,
  type FrameInput,
  lookOf,
  PART_FILES,
  STYLE_PARTS,
  utilityStyles,
} from '@octavo/theme'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { hashFile } from '../source/hash-bytes.ts'
import { STYLES_OUTPUT } from './font-files.ts'
import type { SiteOutput } from './site-output.ts'

export type StylesInput = {
  readonly output: SiteOutput
  readonly theme: Parameters<typeof lookOf>[0]
  /** Colors and the like, from docs.json. */
  readonly siteStyles: string
  /** Faces of our typeface. */
  readonly fontStyles: string
  /** Classes of elements that authors' scripts make. */
  readonly utilities: readonly string[]
  readonly styles: CompiledScripts['styles']
}

export type WrittenStyles = {
  readonly base: string
  readonly parts: FrameInput['assets']['parts']
}

/**
 * Ours stand in a layer, so that an author's stylesheet always wins. Resets that authors' tools bring
 * along, in layers with these names, come before it: they would take the text apart.
 */
const LAYERS = '@layer theme,reset,base,octavo;'

function inLayer(css: string): string {
  return `@layer octavo{${css}}`
}

/** Named after what they hold, so that browsers may keep them for ever. */
export function writeStyles(input: StylesInput): WrittenStyles {
  const { output, theme, siteStyles, fontStyles, utilities, styles } = input
  const put = (name: string, css: string): string => {
    const path = `${STYLES_OUTPUT}/${name}-${hashFile(css).slice(0, 12)}.css`
    // It says nothing of any page.
    output.write(path, css, { access: 'public' })
    return `/${path}`
  }
  const join = (names: readonly string[]) => names.map((name) => styles[name] ?? '').join('\n')
  const ours = inLayer(`${join(baseStyleFiles(lookOf(theme).name))}\n${siteStyles}`)
  const base = `${LAYERS}\n${fontStyles}\n${ours}\n${utilityStyles(utilities)}`
  const parts = STYLE_PARTS.filter((part) => PART_FILES[part].length > 0).map((part) => [
    part,
    put(part, inLayer(join(PART_FILES[part]))),
  ])
  return { base: put('theme', base), parts: Object.fromEntries(parts) }
}
