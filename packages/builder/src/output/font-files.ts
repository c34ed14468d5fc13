/**
 * Writes the default typefaces: Inter for text and JetBrains Mono for code, both variable. Every page
 * loads Inter for Latin text; a browser loads the others only if the page contains their characters.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FontFile } from '../load/fonts/site-font.ts'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'
// Made by scripts/make-typefaces.ts.
import typefaces from './typefaces.json' with { type: 'json' }

/** The folder of stylesheets and their fonts. All file names contain a hash of the content. */
export const STYLES_OUTPUT = `${OWN_FOLDER}/styles`

export type WrittenFonts = {
  /** The `@font-face` rules, with URLs relative to the stylesheet. */
  readonly styles: string
  /** Fonts that every page preloads. */
  readonly urls: readonly string[]
}

/** Other subsets of Inter. Rare Greek and Cyrillic characters are shown in the reader's own fonts. */
const SUBSETS = ['latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const

export type TypefaceFiles = {
  /** The `@font-face` rules for a stylesheet in the same folder. */
  readonly styles: string
  /** The font files, of which the first is the Latin subset. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** Returns our typefaces as files whose names contain a hash of the content. */
export function typefaceFiles(): TypefaceFiles {
  const require = createRequire(import.meta.url)
  const file = (name: string) => readFileSync(require.resolve(`@fontsource-variable/inter/${name}`))
  const ranges = JSON.parse(file('unicode.json').toString()) as Readonly<Record<string, string>>
  const { inter, mono } = typefaces
  const faces: readonly Face[] = [
    { ...INTER, subset: 'latin', bytes: Buffer.from(inter.woff2, 'base64'), range: inter.range },
    { ...MONO, subset: 'latin', bytes: Buffer.from(mono.woff2, 'base64'), range: mono.range },
    ...SUBSETS.map((subset) => {
      const bytes = file(`files/inter-${subset}-wght-normal.woff2`)
      return { ...INTER, subset, bytes, range: ranges[subset] ?? '' }
    }),
  ]
  const files = faces.map(({ slug, subset, bytes }) => {
    return { name: `${slug}-${subset}-${hashFile(bytes).slice(0, 12)}.woff2`, bytes }
  })
  const styles = faces.map((face, index) => fontFace(face, files[index]?.name ?? ''))
  return { styles: styles.join('\n'), files }
}

const INTER = { family: 'Inter', slug: 'inter', weights: '100 900' } as const
const MONO = { family: 'JetBrains Mono', slug: 'mono', weights: '400 700' } as const

type Face = (typeof INTER | typeof MONO) & {
  readonly subset: string
  readonly bytes: Uint8Array
  readonly range: string
}

export function writeFonts(output: SiteOutput): WrittenFonts {
  const { styles, files } = typefaceFiles()
  for (const { name, bytes } of files)
    output.write(`${STYLES_OUTPUT}/${name}`, bytes, { access: 'public' })
  return { styles, urls: files.slice(0, 1).map(({ name }) => `/${STYLES_OUTPUT}/${name}`) }
}

/** Writes the fonts that docs.json names, which come from packages or URLs. */
export function writeSiteFonts(output: SiteOutput, files: readonly FontFile[]): WrittenFonts {
  const faces = files.map(({ family, bytes, format, weight, style, range, isMain }) => {
    const name = `font-${hashFile(bytes).slice(0, 12)}.${format}`
    output.write(`${STYLES_OUTPUT}/${name}`, bytes, { access: 'public' })
    const rules = [
      `font-family:"${family}"`,
      `src:url(${name})`,
      ...(weight === undefined ? [] : [`font-weight:${weight}`]),
      `font-style:${style}`,
      'font-display:optional',
      ...(range === undefined ? [] : [`unicode-range:${range}`]),
    ]
    return { url: `/${STYLES_OUTPUT}/${name}`, isMain, css: `@font-face{${rules.join(';')}}` }
  })
  return {
    styles: faces.map(({ css }) => css).join('\n'),
    urls: [...new Set(faces.filter(({ isMain }) => isMain).map(({ url }) => url))],
  }
}

/**
 * Returns an `@font-face` rule. `font-display: swap` shows the font on the first page even on a slow
 * line. Until then, fallbacks of the same widths are shown, so that text hardly moves.
 */
function fontFace({ family, weights, range }: Face, name: string): string {
  return `@font-face{font-family:"${family}";src:url(${name});font-weight:${weights};font-display:swap;unicode-range:${range}}`
}
