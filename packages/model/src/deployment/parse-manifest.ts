/**
 * Parses the texts of a manifest. Manifests are untrusted input, so every value is checked here,
 * and later code relies on the types.
 */
import type { Access, AccessLabel, AccessRange } from './access.ts'
import {
  type LanguageStart,
  MANIFEST_FORMAT,
  MANIFEST_LIMITS,
  type ManifestEntry,
  type ManifestRoot,
  type ManifestRun,
  type SiteBrand,
} from './manifest.ts'

/** A manifest that cannot be read; `reason` is a sentence for its sender. */
type Malformed = { readonly kind: 'malformed'; readonly reason: string }

export type ParsedRoot = { readonly kind: 'root'; readonly root: ManifestRoot } | Malformed
export type ParsedRun =
  | { readonly kind: 'run'; readonly entries: readonly ManifestEntry[] }
  | Malformed

export function parseManifestRoot(text: string): ParsedRoot {
  return parse(() => ({ kind: 'root' as const, root: readRoot(parseJson(text, 'root')) }))
}

/** Parses a run; `index` is its index in the root. The caller must check the hash of the text. */
export function parseManifestRun(text: string, root: ManifestRoot, index: number): ParsedRun {
  return parse(() => {
    const entries = list(parseJson(text, 'run'), 'run').map((one, place) =>
      readEntry(one, root.labels, `entry ${place}`),
    )
    checkRun(entries, root.runs, index)
    return { kind: 'run' as const, entries }
  })
}

/** Thrown by the nested functions below and caught in one place, which returns the result. */
class MalformedError extends Error {}

function parse<Result>(read: () => Result): Result | Malformed {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) return { kind: 'malformed', reason: error.message }
    throw error
  }
}

function refuse(reason: string): never {
  throw new MalformedError(reason)
}

function parseJson(text: string, name: string): unknown {
  if (text.length > MANIFEST_LIMITS.sizeMax) refuse(`The ${name} is too large.`)
  try {
    return JSON.parse(text)
  } catch {
    return refuse(`The ${name} is not valid JSON.`)
  }
}

function readRoot(value: unknown): ManifestRoot {
  const root = record(value, 'root')
  if (root.format !== MANIFEST_FORMAT) refuse(`The format is not \`${MANIFEST_FORMAT}\`.`)
  const labels = readLabels(root.labels)
  const languageStarts =
    root.languageStarts === undefined ? undefined : readStarts(root.languageStarts, labels)
  const commit = root.commit === undefined ? undefined : text(root.commit, 'commit')
  const runs = list(root.runs, 'runs').map(readRun)
  for (const [index, { first }] of runs.entries()) {
    const before = runs[index - 1]
    if (before !== undefined && before.first >= first) refuse('The runs are not sorted.')
  }
  return {
    builder: text(root.builder, 'builder'),
    ...(commit === undefined ? {} : { commit }),
    basePath: text(root.basePath, 'basePath'),
    redirects: list(root.redirects, 'redirects').map((one) => {
      const { source, destination, permanent, access } = record(one, 'redirect')
      return {
        source: text(source, 'source'),
        destination: text(destination, 'destination'),
        permanent: permanent === true,
        access: readAccess(access, labels, 'redirect'),
      }
    }),
    origins: Object.fromEntries(
      Object.entries(record(root.origins, 'origins')).map(([kind, hosts]) => [kind, texts(hosts)]),
    ),
    languages: texts(root.languages),
    ...(languageStarts === undefined ? {} : { languageStarts }),
    versions: texts(root.versions),
    ...(root.wellKnown === undefined ? {} : { wellKnown: texts(root.wellKnown) }),
    ...(root.asksForSignIn === true ? { asksForSignIn: true } : {}),
    ...(root.brand === undefined ? {} : { brand: readBrand(root.brand) }),
    ...(root.telemetry === false ? { telemetry: false } : {}),
    search: list(root.search, 'search').map((one) => {
      const { scope, path, access } = record(one, 'search')
      return {
        scope: text(scope, 'scope'),
        path: readPath(path),
        access: readAccess(access, labels, 'search'),
      }
    }),
    sections: text(root.sections, 'sections'),
    labels,
    runs,
  }
}

function readBrand(value: unknown): SiteBrand {
  const { name, logo } = record(value, 'brand')
  if (logo === undefined) return { name: text(name, 'name') }
  const { light, dark } = record(logo, 'logo')
  return { name: text(name, 'name'), logo: { light: readPath(light), dark: readPath(dark) } }
}

function readStarts(value: unknown, labels: Labels): readonly LanguageStart[] {
  return list(value, 'languageStarts').map((one) => {
    const { language, url, access } = record(one, 'languageStart')
    const start = text(url, 'url')
    // Browsers interpret two slashes, or a slash and a backslash, as the start of another host.
    if (!/^\/(?![/\\])/.test(start)) refuse(`"${start.slice(0, 100)}" is not a URL of the site.`)
    return {
      language: text(language, 'language'),
      url: start,
      access: readAccess(access, labels, 'languageStart'),
    }
  })
}

function readLabels(value: unknown): ReadonlyMap<string, AccessLabel> {
  const rows = Object.entries(record(value, 'labels'))
  // `public` and `default` also count, although they are never in the table.
  if (rows.length + 2 > MANIFEST_LIMITS.labelsMax) refuse('There are too many labels.')
  return new Map(
    rows.map(([id, groups]) => {
      // The caller checks that the ID matches the groups.
      if (!/^[\da-f]{32}$/.test(id)) refuse(`"${id.slice(0, 40)}" is not a label id.`)
      return [id, texts(groups)]
    }),
  )
}

function readRun(value: unknown): ManifestRun {
  const { first, sha256, count } = record(value, 'run')
  const entries = wholeNumber(count, 'count')
  if (entries < 1 || entries > MANIFEST_LIMITS.runEntriesMax) refuse('A run is empty or too long.')
  return { first: readPath(first), sha256: readHash(sha256), count: entries }
}

function checkRun(
  entries: readonly ManifestEntry[],
  runs: readonly ManifestRun[],
  index: number,
): void {
  const run = runs[index]
  const next = runs[index + 1]
  if (run === undefined) refuse('The run does not exist.')
  if (entries.length !== run.count || entries[0]?.path !== run.first) {
    refuse('The run does not match the root.')
  }
  for (const [place, { path }] of entries.entries()) {
    const before = entries[place - 1]
    if (before !== undefined && before.path >= path) refuse(`${path} is out of order.`)
  }
  const last = entries.at(-1)?.path ?? ''
  if (next !== undefined && last >= next.first) refuse(`${last} belongs to a later run.`)
}

type Labels = ReadonlyMap<string, AccessLabel>

function readEntry(value: unknown, labels: Labels, name: string): ManifestEntry {
  const entry = record(value, name)
  const path = readPath(entry.path)
  const size = wholeNumber(entry.size, `size of ${path}`)
  const ranges = entry.ranges === undefined ? undefined : readRanges(entry.ranges, labels, path)
  for (const range of ranges ?? []) {
    if (range.end > size) refuse(`A range of ${path} exceeds its size.`)
  }
  return {
    path,
    sha256: readHash(entry.sha256),
    size,
    type: text(entry.type, `type of ${path}`),
    access: readAccess(entry.access, labels, path),
    ...(ranges && { ranges }),
  }
}

function readRanges(value: unknown, labels: Labels, path: string): readonly AccessRange[] {
  const written = list(value, `ranges of ${path}`)
  if (written.length > MANIFEST_LIMITS.rangesMax) refuse(`${path} has too many ranges.`)
  const ranges = written.map((one) => {
    const [start, end, access] = list(one, `range of ${path}`)
    return {
      start: wholeNumber(start, `range of ${path}`),
      end: wholeNumber(end, `range of ${path}`),
      access: readAccess(access, labels, path),
    }
  })
  // The ends of the ranges that are still open; the innermost one is last.
  const open: number[] = []
  let from = 0
  for (const { start, end } of ranges) {
    while (open.length > 0 && (open.at(-1) ?? 0) <= start) open.pop()
    if (start < from || end <= start || end > (open.at(-1) ?? Number.POSITIVE_INFINITY)) {
      refuse(`The ranges of ${path} are out of order.`)
    }
    open.push(end)
    from = start
  }
  return ranges
}

function readAccess(value: unknown, labels: Labels, name: string): Access {
  if (typeof value === 'string') return readLabel(value, labels, name)
  const { any, all } = record(value, `access of ${name}`)
  const ids = texts(any ?? all)
  // If the list of labels were empty, "all of them" would include every reader.
  if (ids.length === 0) refuse(`The access of ${name} has no label.`)
  const named = ids.map((id) => readLabel(id, labels, name))
  return any === undefined ? { all: named } : { any: named }
}

function readLabel(id: string, labels: Labels, name: string): AccessLabel {
  if (id === 'public' || id === 'default') return id
  return labels.get(id) ?? refuse(`${name} has a label that the root does not list.`)
}

function readPath(value: unknown): string {
  const path = text(value, 'path')
  if (path.length > MANIFEST_LIMITS.pathLengthMax || !isOutputPath(path)) {
    refuse(`"${path.slice(0, 100)}" is not a valid file path.`)
  }
  return path
}

/** Checks that a path is normalized and below the root of the site. */
function isOutputPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\0-\x1f\x7f]/.test(path) || !path.isWellFormed()) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

function readHash(value: unknown): string {
  const hash = text(value, 'sha256')
  return /^[\da-f]{64}$/.test(hash) ? hash : refuse('A hash is not SHA-256 in hexadecimal.')
}

function wholeNumber(value: unknown, name: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(`The ${name} is not a whole number.`)
}

function text(value: unknown, name: string): string {
  return typeof value === 'string' ? value : refuse(`The ${name} is not a string.`)
}

function texts(value: unknown): readonly string[] {
  return list(value, 'list').map((one) => text(one, 'item of a list'))
}

function list(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(`The ${name} is not a list.`)
}

function record(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : refuse(`The ${name} is not an object.`)
}
