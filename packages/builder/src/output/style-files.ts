/**
 * Writes the stylesheets of the theme: one for all pages, and parts for the pages that use them.
 */

import {
  baseStyleFiles,
  type FrameInput,
  lookOf,
  partStyleFiles,
  STYLE_PARTS,
  utilityStyles,
} from '@octavo/theme'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { inLayer } from '../scripts/compile-styles.ts'
import { hashFile } from '../source/hash-bytes.ts'
import { STYLES_OUTPUT } from './font-files.ts'
import type { SiteOutput } from './site-output.ts'

export type StylesInput = {
  readonly output: SiteOutput
  readonly theme: Parameters<typeof lookOf>[0]
  /** Colors and other styles that docs.json sets. */
  readonly siteStyles: string
  /** `@font-face` rules for the site's fonts. */
  readonly fontStyles: string
  /** Utility classes for elements that authors' scripts create. */
  readonly utilities: readonly string[]
  readonly styles: CompiledScripts['styles']
}

export type WrittenStyles = {
  readonly base: string
  readonly parts: FrameInput['assets']['parts']
}

/**
 * Our styles are in a layer, so that an author's stylesheet always takes precedence. The reset
 * styles of tools that authors use are in layers with these names. These layers come first, because
 * otherwise the reset styles would override our text styles.
 */
const LAYERS = '@layer theme,reset,base,octavo;'

/**
 * Writes stylesheets with content hashes in their names, so that browsers can cache them forever.
 */
export function writeStyles(input: StylesInput): WrittenStyles {
  const { output, theme, siteStyles, fontStyles, utilities, styles } = input
  const put = (name: string, css: string): string => {
    const path = `${STYLES_OUTPUT}/${name}-${hashFile(css).slice(0, 12)}.css`
    // Stylesheets contain no page content, so they are public.
    output.write(path, css, { access: 'public' })
    return `/${path}`
  }
  const join = (names: readonly string[]) => names.map((name) => styles[name] ?? '').join('\n')
  const look = lookOf(theme).name
  const ours = inLayer(`${join(baseStyleFiles(look))}\n${siteStyles}`)
  const base = `${LAYERS}\n${fontStyles}\n${ours}\n${utilityStyles(utilities)}`
  const parts = STYLE_PARTS.map((part) => [
    part,
    put(part, inLayer(join(partStyleFiles(part, look)))),
  ])
  return { base: put('theme', base), parts: Object.fromEntries(parts) }
}
