/**
 * The manifest of a deployment, format `octavo/1`: what a site consists of, for whoever hosts it.
 *
 *   root   facts about the site, the table of labels, and where each run begins; small
 *   run    up to 1,000 entries that follow one another, sorted by path, as a content of its own
 *
 * A run is known by the hash of its bytes, so runs that did not change are stored once, and a host
 * reads one run to answer a request. Paths are compared by UTF-16 code units, as JavaScript does.
 */
import { LIMITS } from '../diagnostics/limits.ts'
import type { Redirect } from '../routes/redirects.ts'
import type { Access, AccessLabel, AccessRange } from './access.ts'

export const MANIFEST_FORMAT = 'octavo/1'

export const MANIFEST_LIMITS = {
  /** Entries in one run. */
  runEntriesMax: 1_000,
  /** Labels in one manifest, `public` and `default` among them. */
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
  /** From the root of the site, without a slash before it: `guides/start/index.html`. */
  readonly path: string
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
  /** In bytes. */
  readonly size: number
  /** Media type. */
  readonly type: string
  readonly access: Access
  /**
   * Parts that are left out for readers without access to them. Sorted by start; a range may hold
   * others, and none overlaps another otherwise.
   */
  readonly ranges?: readonly AccessRange[]
}

/** Other hosts that pages load from, by what they load. */
type SiteOrigins = Readonly<Record<string, readonly string[]>>

export type ManifestFacts = {
  /** Changes whenever the same source would give other bytes. */
  readonly builder: string
  /** The commit of the source, if that is known. */
  readonly commit?: string
  /** Where the addresses of the site begin: `/`, or `/docs`. */
  readonly basePath: string
  /** In the order in which they are tried. Who may not read the destination is not told of it. */
  readonly redirects: readonly (Redirect & { readonly access: Access })[]
  readonly origins: SiteOrigins
  readonly languages: readonly string[]
  /** Where the site begins in each language, the default first. Absent with one language. */
  readonly languageStarts?: readonly LanguageStart[]
  readonly versions: readonly string[]
  /** Files for agents at known addresses: `api-catalog`, `agent-skills`. Absent without any. */
  readonly wellKnown?: readonly string[]
  /** The author wants readers to sign in: `auth` or `userAuth` in docs.json. A host does not serve it to everyone unasked. */
  readonly asksForSignIn?: true
  /** False if the author wants nothing counted or asked of readers. */
  readonly telemetry?: false
  /** The roots of search indexes. A reader searches all of a scope that they may read. */
  readonly search: readonly SearchRootPlace[]
  /** Folder of the files that hold the sections of pages, for retrieval. */
  readonly sections: string
}

export type LanguageStart = {
  /** As in `languages`. */
  readonly language: string
  /** From the root of the site, without the base path: `/fr`. */
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
  /** The path of its first entry. */
  readonly first: string
  readonly sha256: string
  readonly count: number
}

export type ManifestRoot = ManifestFacts & {
  /** Labels with groups, by the id that entries know them by. */
  readonly labels: ReadonlyMap<string, AccessLabel>
  readonly runs: readonly ManifestRun[]
}

/** Where the run stands that lists the path if any does; below zero when none can. */
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

/** The id of a label: the same in every deployment, and without the names of groups. */
export function labelId(label: AccessLabel, sha256: Sha256): string {
  return typeof label === 'string' ? label : sha256(JSON.stringify(label)).slice(0, LABEL_ID_LENGTH)
}

/** 128 bits, so that other groups with the same id cannot be found. */
const LABEL_ID_LENGTH = 32

/** SHA-256 of a text as UTF-8, in hexadecimal. The model has no hash of its own. */
export type Sha256 = (text: string) => string
