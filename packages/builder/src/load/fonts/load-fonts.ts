/**
 * Loads the fonts that docs.json names as files for the site. Pages load no fonts from other hosts,
 * so a font is reported if it is not in the repository, not available as a package and not
 * available at a URL.
 */
import {
  type Config,
  diagnose,
  type JsonObject,
  type Place,
  parseJson,
  placeOf,
  type Report,
} from '@octavo/model'
import { DEFAULT_TYPEFACE, isFontFamily } from '@octavo/theme'
import { readFontPackage, readInstalledFont } from './font-package.ts'
import {
  FONT_RECORD_FILE,
  familySource,
  fontSlug,
  readFontRecord,
  recordedSource,
} from './font-record.ts'
import type { HostedFonts } from './hosted-fonts.ts'
import type { FontFile } from './site-font.ts'

export type FontsInput = {
  readonly config: Config
  readonly root: JsonObject | undefined
  readonly configFile: string
  /** The folder in which to search for packages; undefined for a site that is not on disk. */
  readonly folder: string | undefined
  /** The text of `octavo-fonts.json`. */
  readonly record: string | undefined
  readonly hosted: HostedFonts
  readonly report: Report
}

type Font = { readonly family: string; readonly weight: number | undefined; readonly place: Place }

const KEYS = [[], ['heading'], ['body']] as const
const ADDRESS = /^https?:\/\//i
/**
 * Matches the URL of a stylesheet, which is not a font file. The family is then looked up as if no
 * source were set.
 */
const STYLESHEET = /^https:\/\/fonts\.(?:googleapis\.com|bunny\.net)\/css/i
/** Matches font families that every system has or understands. */
const SYSTEM =
  /^(?:system-ui|ui-[a-z-]+|sans-serif|serif|monospace|cursive|-apple-system|blinkmacsystemfont|arial|helvetica(?: neue)?|georgia|times(?: new roman)?|courier(?: new)?|verdana|tahoma|segoe ui)$/i

export function loadFonts(input: FontsInput): readonly FontFile[] {
  if (input.record !== undefined) parseJson(FONT_RECORD_FILE, input.record, input.report)
  const seen = new Set<string>()
  return KEYS.flatMap((path) => {
    const font = writtenFont(input, path)
    if (font === undefined) return []
    const { family, source, ...rest } = font
    const key = `${family} ${source ?? ''} ${rest.weight ?? ''}`
    if (seen.has(key)) return []
    seen.add(key)
    if (!isFontFamily(family)) {
      const message = `"${family}" is not a valid font name, so Inter is used.`
      const hint = 'Use only letters, digits, spaces and dashes.'
      input.report(diagnose('font/missing', rest.place, { message, hint }))
      return []
    }
    if (source === undefined || STYLESHEET.test(source)) return byFamily({ family, ...rest }, input)
    return ADDRESS.test(source) ? fromAddress({ family, ...rest }, source, input) : []
  })
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

function byFamily(font: Font, input: FontsInput): readonly FontFile[] {
  const { family } = font
  if (family === DEFAULT_TYPEFACE || SYSTEM.test(family)) return []
  const { folder } = input
  const installed = folder === undefined ? undefined : readInstalledFont(folder, font)
  return installed ?? fromRegistry(font, input)
}

function fromRegistry(font: Font, { hosted, record, report }: FontsInput): readonly FontFile[] {
  const { family, place } = font
  const missing = (reason: string) => {
    const message = `The font "${family}" was not loaded, so Inter is used: ${reason}.`
    report(diagnose('font/missing', place, { message, hint: OWN_FILE }))
    return []
  }
  const recorded = readFontRecord(record, family)
  const source = recorded === undefined ? familySource(family) : recordedSource(recorded)
  if (source === undefined) return missing('no package has such a name')
  const outcome = hosted.outcome(source)
  if (outcome === undefined || outcome.kind === 'pending') return []
  if (outcome.kind === 'failed')
    return missing(`\`@fontsource-variable/${fontSlug(family)}\` ${outcome.reason}`)
  const files =
    outcome.kind === 'package'
      ? readFontPackage((path) => outcome.files.get(path), font)
      : undefined
  if (outcome.kind !== 'package' || files === undefined)
    return missing('its package has no usable files')
  if (recorded === undefined) report(unrecorded(font, outcome.package.version))
  return files
}

const OWN_FILE =
  'Check its name, or add a `.woff2` file to the repository and set its path in `source`.'

function unrecorded({ family, place }: Font, version: string) {
  return diagnose('font/unrecorded', place, {
    message: `The font "${family}" is not recorded yet. This build uses version ${version}; a later one may use another.`,
    hint: `Commit ${FONT_RECORD_FILE}, which \`octavo build\` and \`octavo dev\` write next to docs.json.`,
  })
}

function fromAddress(font: Font, url: string, input: FontsInput): readonly FontFile[] {
  const outcome = input.hosted.outcome(url)
  // The outcome will be available when the site is loaded again.
  if (outcome === undefined || outcome.kind === 'pending') return []
  if (outcome.kind === 'loaded') {
    const { family, weight } = font
    const { bytes, format } = outcome
    const written = weight === undefined ? undefined : String(weight)
    const facts = { style: 'normal', range: undefined, isMain: true } as const
    return [{ family, bytes, format, weight: written, ...facts }]
  }
  const reason = outcome.kind === 'failed' ? outcome.reason : 'is not a font'
  input.report(
    diagnose('font/missing', font.place, {
      message: `The font "${font.family}" was not loaded, so Inter is used: \`${url}\` ${reason}.`,
      hint: 'Add the `.woff2` file to the repository and set its path in `source`.',
    }),
  )
  return []
}
