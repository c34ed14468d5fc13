/**
 * The manifest of a deployment, format `octavo/1`: the contents of a site, for its host.
 *
 *   root   facts about the site, the table of labels, and the first path of each run; small
 *   run    up to 1,000 consecutive entries, sorted by path, stored as a blob of its own
 *
 * A run is identified by the hash of its bytes, so unchanged runs are stored once, and a host reads
 * one run per request. Paths are compared by UTF-16 code units, as JavaScript does.
 */
import { LIMITS } from '../diagnostics/limits.ts'
import type { Redirect } from '../routes/redirects.ts'
import type { Access, AccessLabel, AccessRange } from './access.ts'

export const MANIFEST_FORMAT = 'octavo/1'

export const MANIFEST_LIMITS = {
  /** Entries in one run. */
  runEntriesMax: 1_000,
  /** Labels in one manifest, including `public` and `default`. */
  labelsMax: LIMITS.accessLabelsMax,
  /** Characters in the text of a root or a run. */
  sizeMax: 64 * 1024 * 1024,
  /** Characters in a path. */
  pathLengthMax: 4_096,
  /** Ranges in one entry. */
  rangesMax: 20_000,
} as const

/** One file of the site. */
export type ManifestEntry = {
  /** Relative to the root of the site, without a leading slash: `guides/start/index.html`. */
  readonly path: string
  /** The digest of its bytes, in hexadecimal. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
  /** Media type. */
  readonly type: string
  readonly access: Access
  /**
   * Byte ranges that are omitted for readers without access to them, sorted by start. Ranges may be
   * nested but do not overlap otherwise.
   */
  readonly ranges?: readonly AccessRange[]
}

/** Other hosts that pages load from, by resource type. */
type SiteOrigins = Readonly<Record<string, readonly string[]>>

export type ManifestFacts = {
  /** Changes whenever the same source would produce other bytes. */
  readonly builder: string
  /** The commit of the source, if known. */
  readonly commit?: string
  /** The path prefix of all the site's addresses: `/`, or `/docs`. */
  readonly basePath: string
  /** In the order in which they are tried. Used only for readers who may read the destination. */
  readonly redirects: readonly (Redirect & { readonly access: Access })[]
  readonly origins: SiteOrigins
  readonly languages: readonly string[]
  /** The start page of each language, the default language first. Absent with only one language. */
  readonly languageStarts?: readonly LanguageStart[]
  readonly versions: readonly string[]
  /** Files for agents at well-known addresses: `api-catalog`, `agent-skills`. Absent if empty. */
  readonly wellKnown?: readonly string[]
  /**
   * The author wants readers to sign in: `auth` or `userAuth` in docs.json. A host does not make
   * the site public by default.
   */
  readonly asksForSignIn?: true
  /** What a sign-in page shows of the site, also to readers without access. */
  readonly brand?: SiteBrand
  /** False if the author opted out of analytics and feedback. */
  readonly telemetry?: false
  /** The roots of the search indexes. A search covers all of a scope that the reader may read. */
  readonly search: readonly SearchRootPlace[]
  /** Folder of the files with the pages' sections, for retrieval. */
  readonly sections: string
}

export type SiteBrand = {
  readonly name: string
  /** Paths of files of the site; the same one twice, if there is one for both modes. */
  readonly logo?: { readonly light: string; readonly dark: string }
}

export type LanguageStart = {
  /** One of `languages`. */
  readonly language: string
  /** Relative to the root of the site, without the base path: `/fr`. */
  readonly url: string
  readonly access: Access
}

export type SearchRootPlace = {
  /** Pages of one language and version. */
  readonly scope: string
  readonly path: string
  readonly access: Access
}

export type ManifestRun = {
  /** The path of the run's first entry. */
  readonly first: string
  readonly sha256: string
  readonly count: number
}

export type ManifestRoot = ManifestFacts & {
  /** Labels with groups, by the id that entries refer to. */
  readonly labels: ReadonlyMap<string, AccessLabel>
  readonly runs: readonly ManifestRun[]
}

/** Returns the index of the only run that can contain the path; negative if no run can. */
export function runIndexOf({ runs }: Pick<ManifestRoot, 'runs'>, path: string): number {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((runs[middle]?.first ?? '') <= path) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns the id of a label: the same in every deployment, and it does not reveal group names. */
export function labelId(label: AccessLabel, sha256: Sha256): string {
  return typeof label === 'string' ? label : sha256(JSON.stringify(label)).slice(0, LABEL_ID_LENGTH)
}

/** 128 bits, so that finding other groups with the same id is infeasible. */
const LABEL_ID_LENGTH = 32

/** SHA-256 of a text as UTF-8, in hexadecimal. Passed in, as the model has no hash function. */
export type Sha256 = (text: string) => string
