/** The stylesheets of the theme: one for all pages, and parts for the pages that use them. */

import { baseStyleFiles, type FrameInput, lookOf, PART_FILES, STYLE_PARTS } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { CompiledScripts } from '../scripts/compile-scripts.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

export type StylesInput = {
  readonly output: SiteOutput
  readonly theme: Parameters<typeof lookOf>[0]
  /** Colors and the like, from docs.json. */
  readonly siteStyles: string
  readonly styles: CompiledScripts['styles']
}

export type WrittenStyles = {
  readonly base: string
  readonly parts: FrameInput['assets']['parts']
}

/** Named after what they hold, so that browsers may keep them for ever. */
export function writeStyles({ output, theme, siteStyles, styles }: StylesInput): WrittenStyles {
  const put = (name: string, css: string): string => {
    const path = `${OWN_FOLDER}/${name}-${hashFile(css).slice(0, 12)}.css`
    // It says nothing of any page.
    output.write(path, css, { access: 'public' })
    return `/${path}`
  }
  const join = (names: readonly string[]) => names.map((name) => styles[name] ?? '').join('\n')
  const base = `${join(baseStyleFiles(lookOf(theme).name))}\n${siteStyles}`
  const parts = STYLE_PARTS.filter((part) => PART_FILES[part].length > 0).map((part) => [
    part,
    put(part, join(PART_FILES[part])),
  ])
  return { base: put('theme', base), parts: Object.fromEntries(parts) }
}
