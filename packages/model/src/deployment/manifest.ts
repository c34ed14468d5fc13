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
  /** The maximum number of entries in a run. */
  runEntriesMax: 1_000,
  /** The maximum number of labels in a manifest, including `public` and `default`. */
  labelsMax: LIMITS.accessLabelsMax,
  /** The maximum number of characters in the text of a root or a run. */
  sizeMax: 64 * 1024 * 1024,
  /** The maximum number of characters in a path. */
  pathLengthMax: 4_096,
  /** The maximum number of ranges in an entry. */
  rangesMax: 20_000,
} as const

/** One file of the site. */
export type ManifestEntry = {
  /**
   * The path relative to the root of the site, without a leading slash: `guides/start/index.html`.
   */
  readonly path: string
  /** The SHA-256 digest of the file's bytes, in hexadecimal. */
  readonly sha256: string
  /** The size in bytes. */
  readonly size: number
  /** The media type. */
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
  /** A value that changes whenever the same source would result in different bytes. */
  readonly builder: string
  /** The commit of the source, if known. */
  readonly commit?: string
  /** The path prefix of all addresses of the site: `/` or, for example, `/docs`. */
  readonly basePath: string
  /**
   * Redirects in the order in which they are tried. A redirect is only used for readers who may
   * read its destination.
   */
  readonly redirects: readonly (Redirect & { readonly access: Access })[]
  readonly origins: SiteOrigins
  readonly languages: readonly string[]
  /**
   * The start page of each language, beginning with the default language. Undefined if there is
   * only one language.
   */
  readonly languageStarts?: readonly LanguageStart[]
  readonly versions: readonly string[]
  /**
   * Files for agents at well-known addresses: `api-catalog`, `agent-skills`. Undefined if the site
   * has no such files.
   */
  readonly wellKnown?: readonly string[]
  /**
   * True if the author wants readers to sign in (`auth` or `userAuth` in docs.json). A host then
   * does not make the site public by default.
   */
  readonly asksForSignIn?: true
  /** The name and logo on the sign-in page, which even readers without access see. */
  readonly brand?: SiteBrand
  /** False if the author opted out of analytics and feedback. */
  readonly telemetry?: false
  /**
   * The roots of the search indexes. A search covers all pages of a scope that the reader may read.
   */
  readonly search: readonly SearchRootPlace[]
  /** The folder of the files with the sections of all pages, for retrieval. */
  readonly sections: string
}

export type SiteBrand = {
  readonly name: string
  /** Paths of files of the site. Both paths are equal if one logo is used for both modes. */
  readonly logo?: { readonly light: string; readonly dark: string }
}

export type LanguageStart = {
  /** One of the entries of `languages`. */
  readonly language: string
  /** The path from the root of the site, without the base path: `/fr`. */
  readonly url: string
  readonly access: Access
}

export type SearchRootPlace = {
  /** The language and version of the indexed pages. */
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
  /** Labels that consist of groups, by the ID that entries refer to. */
  readonly labels: ReadonlyMap<string, AccessLabel>
  readonly runs: readonly ManifestRun[]
}

/** Returns the index of the only run that can contain a path; negative if no run can contain it. */
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

/**
 * Returns the ID of a label. It is the same in every deployment and does not reveal the names of
 * groups.
 */
export function labelId(label: AccessLabel, sha256: Sha256): string {
  return typeof label === 'string' ? label : sha256(JSON.stringify(label)).slice(0, LABEL_ID_LENGTH)
}

/** 128 bits in hexadecimal, so that finding other groups with the same ID is infeasible. */
const LABEL_ID_LENGTH = 32

/**
 * Returns the SHA-256 hash of a string in UTF-8, as hexadecimal. Callers pass this function,
 * because the model has no hash function.
 */
export type Sha256 = (text: string) => string
