import { CONFIG_FIELDS, LEGACY_CONFIG_KEYS } from './config/config-fields.ts'
import { type Diagnostic, DiagnosticList, diagnose, type Report } from './diagnostics/diagnostic.ts'
import { type JsonNode, type JsonObject, placeOf, placeOfMember } from './json/json-node.ts'
import { parseJson } from './json/parse-json.ts'
import { PartResolver, type ReadPart } from './json/resolve-parts.ts'
import { convertMintJson } from './mint-json/convert-mint-json.ts'
import { findOverlays, type SpecificationOverlays } from './navigation/find-overlays.ts'
import { readNavigation, specificationsOf } from './navigation/read-navigation.ts'
import type { DefaultSpecifications } from './navigation/resolve-navigation.ts'
import { EMPTY_NAVIGATION, type WrittenNavigation } from './navigation/written.ts'
import { type WrittenRedirect, writtenRedirects } from './routes/check-redirects.ts'
import { wrongType } from './schema/schema.ts'
import { readFields, reportUnknownKeys, type ShapeValue } from './schema/shape.ts'

type WrittenConfig = ShapeValue<typeof CONFIG_FIELDS>

/** The resolved docs.json, with default values. */
export type Config = Omit<WrittenConfig, 'name' | 'theme' | 'colors'> & {
  readonly name: string
  readonly theme: NonNullable<WrittenConfig['theme']>
  readonly colors: NonNullable<WrittenConfig['colors']>
  readonly navigation: WrittenNavigation
}

export type ParsedConfig = {
  /** Undefined only if the text is not an object. */
  readonly config: Config | undefined
  /** The file as written, with the place of each value. Its parts are already inserted. */
  readonly root: JsonObject | undefined
  /** The redirects with their places, for checks that need to know all pages. */
  readonly redirects: readonly WrittenRedirect[]
  /** The specifications from `api.openapi`, with their place. */
  readonly specifications: DefaultSpecifications | undefined
  /** The overlays of each specification. */
  readonly overlays: SpecificationOverlays
  readonly diagnostics: readonly Diagnostic[]
}

export const CONFIG_DEFAULTS = {
  name: 'Documentation',
  theme: 'mint',
  colors: { primary: '#0F766E', light: '#2DD4BF', dark: '#115E59' },
} as const satisfies Partial<Config>

export type ConfigInput = {
  readonly file: string
  readonly text: string
  readonly readPart: ReadPart
}

/**
 * Parses a docs.json (or a legacy mint.json). Returns a typed config and all diagnostics. Never
 * throws.
 */
export function parseConfig(input: ConfigInput): ParsedConfig {
  const list = new DiagnosticList()
  const parts = new PartResolver({ readPart: input.readPart, report: list.report })
  const root = readRoot(input, parts, list.report)
  const config = root && readConfig(root, parts.isComplete, list.report)
  const isObject = root?.type === 'object'
  return {
    config,
    root: isObject ? root : undefined,
    redirects: isObject ? writtenRedirects(root) : [],
    specifications: isObject ? defaultSpecifications(root, config) : undefined,
    overlays: isObject ? findOverlays(root, list.report) : new Map(),
    diagnostics: list.sorted(),
  }
}

function readRoot(input: ConfigInput, parts: PartResolver, report: Report): JsonNode | undefined {
  const parsed = parseJson(input.file, input.text, report)
  const root = parsed && parts.resolveRoot(parsed)
  const isLegacy = /(?:^|\/)mint\.json$/.test(input.file)
  return isLegacy && root?.type === 'object' ? convertMintJson(root, report) : root
}

function defaultSpecifications(
  root: JsonObject,
  config: Config | undefined,
): DefaultSpecifications | undefined {
  const uses = specificationsOf(config?.api?.openapi)
  const api = root.members.get('api')?.value
  if (uses === undefined || api?.type !== 'object') return undefined
  return { uses, place: placeOfMember(api, 'openapi') }
}

/** Reads the configuration from parsed JSON in which the parts are already inserted. */
function readConfig(root: JsonNode, isComplete: boolean, report: Report): Config | undefined {
  if (root.type !== 'object') return wrongType(report, root, 'an object with `navigation`')
  const known = new Set([...Object.keys(CONFIG_FIELDS), 'navigation'])
  reportUnknownKeys({ node: root, known, legacy: LEGACY_CONFIG_KEYS, report })
  const written: WrittenConfig = readFields(root, CONFIG_FIELDS, report)
  return {
    ...written,
    name: written.name || CONFIG_DEFAULTS.name,
    theme: written.theme ?? CONFIG_DEFAULTS.theme,
    colors: written.colors ?? CONFIG_DEFAULTS.colors,
    navigation: readRequiredNavigation(root, isComplete, report),
  }
}

function readRequiredNavigation(
  root: JsonObject,
  isComplete: boolean,
  report: Report,
): WrittenNavigation {
  const navigation = root.members.get('navigation')?.value
  if (navigation !== undefined) return readNavigation(navigation, report)
  // The navigation may be in a part that could not be read, which has been reported.
  if (!isComplete) return EMPTY_NAVIGATION
  report(
    diagnose('value/missing', placeOf(root), {
      message: `${root.source.file} has no \`navigation\`. It is the only required key.`,
      hint: 'Add `"navigation": {"pages": ["index"]}` and list your pages there.',
    }),
  )
  return EMPTY_NAVIGATION
}
