/**
 * Prints entries and facts as the texts of a manifest. The same input always results in the same
 * bytes.
 */
import { type Access, type AccessLabel, isLabel, labelsOf } from './access.ts'
import {
  labelId,
  MANIFEST_FORMAT,
  MANIFEST_LIMITS,
  type ManifestEntry,
  type ManifestFacts,
  type Sha256,
} from './manifest.ts'

export type PrintedManifest = {
  readonly root: string
  readonly runs: readonly { readonly sha256: string; readonly text: string }[]
}

/**
 * Prints a manifest. Entries may be in any order. Throws if there are more labels than a manifest
 * may have.
 */
export function printManifest(
  facts: ManifestFacts,
  entries: readonly ManifestEntry[],
  sha256: Sha256,
): PrintedManifest {
  const labels = new LabelIds(sha256)
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const runs = splitIntoRuns(sorted).map((run) => {
    const text = `[\n${run.map((entry) => printEntry(entry, labels)).join(',\n')}\n]\n`
    return { first: run[0]?.path ?? '', sha256: sha256(text), count: run.length, text }
  })
  const { redirects, search, languageStarts, ...rest } = facts
  const withId = <Item extends { readonly access: Access }>(item: Item) => ({
    ...item,
    access: labels.print(item.access),
  })
  const head = {
    format: MANIFEST_FORMAT,
    ...rest,
    redirects: redirects.map(withId),
    search: search.map(withId),
    // JSON omits this key if the value is `undefined`.
    languageStarts: languageStarts?.map(withId),
    labels: labels.table(),
  }
  const lines = runs.map(({ first, sha256: hash, count }) =>
    JSON.stringify({ first, sha256: hash, count }),
  )
  const root = `${JSON.stringify(head, null, 1).slice(0, -2)},\n "runs": [\n${lines.join(',\n')}\n ]\n}\n`
  return { root, runs: runs.map(({ sha256: hash, text }) => ({ sha256: hash, text })) }
}

function printEntry(entry: ManifestEntry, labels: LabelIds): string {
  const { path, sha256, size, type, access, ranges } = entry
  return JSON.stringify({
    path,
    sha256,
    size,
    type,
    access: labels.print(access),
    // A page may have many ranges, so each range is printed as a short array.
    ranges: ranges?.map((range) => [range.start, range.end, labels.print(range.access)]),
  })
}

/**
 * Splits the entries into runs. A run starts at every path whose hash is a multiple of 128. This
 * does not depend on the other paths, so adding or removing an entry only changes its own run, or
 * splits or joins two runs. There is one exception: if more than 2,000 consecutive entries start no
 * run (a chance of one in six million), the limit of 1,000 applies there.
 */
function splitIntoRuns(entries: readonly ManifestEntry[]): readonly (readonly ManifestEntry[])[] {
  const runs: ManifestEntry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    const isFull = run === undefined || run.length >= MANIFEST_LIMITS.runEntriesMax
    if (isFull || hashPath(entry.path) % RUN_LENGTH === 0) runs.push([entry])
    else run.push(entry)
  }
  return runs
}

const RUN_LENGTH = 128

/**
 * Hashes a path with FNV-1a and the final step of MurmurHash3, so that paths that differ in one
 * digit have different hashes.
 */
function hashPath(path: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < path.length; at += 1) {
    hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Collects the IDs of the labels that have been printed. */
class LabelIds {
  readonly #sha256: Sha256
  readonly #printed = new Map<AccessLabel | string, string>()
  readonly #groups = new Map<string, AccessLabel>()

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  print(access: Access): unknown {
    if (typeof access === 'string') return access
    if (isLabel(access)) return this.#idOf(access)
    const ids = labelsOf(access).map((label) => this.#idOf(label))
    return 'any' in access ? { any: ids } : { all: ids }
  }

  table(): Readonly<Record<string, AccessLabel>> {
    const rows = [...this.#groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (rows.length + BUILT_IN_LABELS > MANIFEST_LIMITS.labelsMax) {
      throw new Error(`A manifest cannot have more than ${MANIFEST_LIMITS.labelsMax} labels.`)
    }
    return Object.fromEntries(rows)
  }

  #idOf(label: AccessLabel): string {
    const known = this.#printed.get(label)
    if (known !== undefined) return known
    const id = labelId(label, this.#sha256)
    this.#printed.set(label, id)
    if (typeof label !== 'string') this.#groups.set(id, label)
    return id
  }
}

/** The labels `public` and `default`, which are not in the table. */
const BUILT_IN_LABELS = 2
