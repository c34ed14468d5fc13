/**
 * The fonts that docs.json names, as files for the site. Pages load no fonts from other hosts, so a
 * font is reported if it is neither in the repository, nor installed as a package, nor at a URL.
 */
import {
  type Config,
  diagnose,
  type JsonObject,
  type Place,
  placeOf,
  type Report,
} from '@octavo/model'
import { DEFAULT_TYPEFACE, isFontFamily } from '@octavo/theme'
import type { FontOutcome } from '../specification-fetcher.ts'
import { fontSlug, readFontPackage } from './font-package.ts'
import type { FontFile } from './site-font.ts'

export type FontsInput = {
  readonly config: Config
  readonly root: JsonObject | undefined
  readonly configFile: string
  /** The folder to search for packages; undefined for a site that is not on disk. */
  readonly folder: string | undefined
  /** Returns the outcome of fetching a font; undefined if it was not fetched. */
  readonly hosted: (url: string) => FontOutcome | undefined
  readonly report: Report
}

type Font = { readonly family: string; readonly weight: number | undefined; readonly place: Place }

const KEYS = [[], ['heading'], ['body']] as const
const ADDRESS = /^https?:\/\//i
/** A stylesheet and not a font file: its family is looked up as if no source were set. */
const STYLESHEET = /^https:\/\/fonts\.(?:googleapis\.com|bunny\.net)\/css/i
/** Names that every system has or understands. */
const SYSTEM =
  /^(?:system-ui|ui-[a-z-]+|sans-serif|serif|monospace|cursive|-apple-system|blinkmacsystemfont|arial|helvetica(?: neue)?|georgia|times(?: new roman)?|courier(?: new)?|verdana|tahoma|segoe ui)$/i

export function loadFonts(input: FontsInput): readonly FontFile[] {
  const seen = new Set<string>()
  return KEYS.flatMap((path) => {
    const font = writtenFont(input, path)
    if (font === undefined) return []
    const { family, source, ...rest } = font
    const key = `${family} ${source ?? ''} ${rest.weight ?? ''}`
    if (seen.has(key)) return []
    seen.add(key)
    if (!isFontFamily(family)) {
      const message = `"${family}" is not a valid font name, so a system font is used.`
      const hint = 'Use only letters, digits, spaces and dashes.'
      input.report(diagnose('font/missing', rest.place, { message, hint }))
      return []
    }
    if (source === undefined || STYLESHEET.test(source)) return byFamily({ family, ...rest }, input)
    return ADDRESS.test(source) ? fromAddress({ family, ...rest }, source, input) : []
  })
}

/** Returns the URLs of fonts that must be fetched. */
export function hostedFonts({ fonts }: Config): readonly string[] {
  const sources = [fonts, fonts?.heading, fonts?.body].map((font) => font?.source ?? '')
  return [...new Set(sources.filter((url) => ADDRESS.test(url) && !STYLESHEET.test(url)))]
}

function writtenFont(
  { config: { fonts }, root, configFile }: FontsInput,
  path: readonly ('heading' | 'body')[],
): (Font & { readonly source: string | undefined }) | undefined {
  const [key] = path
  const { family, weight, source } = (key === undefined ? fonts : fonts?.[key]) ?? {}
  if (!family) return undefined
  let node = root?.members.get('fonts')?.value
  for (const name of [...path, 'family'])
    node = node?.type === 'object' ? node.members.get(name)?.value : undefined
  const place = node === undefined ? { file: configFile, line: 1, column: 1 } : placeOf(node)
  return { family, weight, source, place }
}

function byFamily(font: Font, { folder, report }: FontsInput): readonly FontFile[] {
  const { family, place } = font
  if (family === DEFAULT_TYPEFACE || SYSTEM.test(family)) return []
  const files = folder === undefined ? undefined : readFontPackage(folder, font)
  if (files !== undefined) return files
  const slug = fontSlug(family)
  const install = /^[a-z\d-]+$/.test(slug)
    ? `Run \`npm install @fontsource-variable/${slug}\` (or \`@fontsource/${slug}\`) in the folder of docs.json, or add`
    : 'Add'
  report(
    diagnose('font/missing', place, {
      message: `The font "${family}" was not found, so a system font is used.`,
      hint: `${install} a \`.woff2\` file to the repository and set its path in \`source\`.`,
    }),
  )
  return []
}

function fromAddress(font: Font, url: string, input: FontsInput): readonly FontFile[] {
  const outcome = input.hosted(url)
  // A later load of the site will know the outcome.
  if (outcome === undefined || outcome.kind === 'pending') return []
  if (outcome.kind === 'loaded') {
    const { family, weight } = font
    const { bytes, format } = outcome
    const written = weight === undefined ? undefined : String(weight)
    const facts = { style: 'normal', range: undefined, isMain: true } as const
    return [{ family, bytes, format, weight: written, ...facts }]
  }
  input.report(
    diagnose('font/missing', font.place, {
      message: `The font "${font.family}" was not loaded: \`${url}\` ${outcome.reason}.`,
      hint: 'Add the `.woff2` file to the repository and set its path in `source`.',
    }),
  )
  return []
}
