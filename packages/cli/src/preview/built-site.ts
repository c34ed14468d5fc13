/** A built site. Its manifest says what a host serves at each URL. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { HeaderRule } from '@octavo/builder'
import {
  type Access,
  HOST_SCRIPT_PATH,
  isExternalDestination,
  type ManifestEntry,
  type ManifestRoot,
  mayRead,
  omitRanges,
  parseManifestRoot,
  parseManifestRun,
  RedirectTable,
} from '@octavo/model'

const MANIFEST = '_octavo/manifest.json'

/** An anonymous reader of a site whose access settings are unknown. */
const ANONYMOUS_READER = { hasSiteAccess: true, groups: new Set<string>() }
const isAnonymouslyReadable = (access: Access) => mayRead(ANONYMOUS_READER, access)

export type FoundFile =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'redirect'; readonly status: 307 | 308; readonly url: string }

export class BuiltSite {
  readonly headers: readonly HeaderRule[]
  /** A path such as `/docs`; empty at the root of a host. */
  readonly basePath: string
  readonly #folder: string
  readonly #entries: ReadonlyMap<string, ManifestEntry>
  readonly #redirects: RedirectTable

  private constructor(folder: string, root: ManifestRoot, entries: readonly ManifestEntry[]) {
    this.#folder = folder
    this.basePath = root.basePath.replace(/\/+$/, '')
    this.headers = JSON.parse(readText(folder, '_octavo/headers.json')) as readonly HeaderRule[]
    const open = entries.filter(({ access }) => isAnonymouslyReadable(access))
    this.#entries = new Map(open.map((entry) => [entry.path, entry]))
    const redirects = root.redirects.filter(({ access }) => isAnonymouslyReadable(access))
    this.#redirects = new RedirectTable(
      redirects,
      (url) => this.#fileAt(url.slice(1)) !== undefined,
    )
  }

  /** Opens a built site; returns undefined if the folder has none. */
  static open(folder: string): BuiltSite | undefined {
    if (!statSync(join(folder, MANIFEST), { throwIfNoEntry: false })?.isFile()) return undefined
    const parsed = parseManifestRoot(readText(folder, MANIFEST))
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    const { root } = parsed
    const entries = root.runs.flatMap(({ sha256 }, index) => {
      const run = parseManifestRun(readText(folder, `_octavo/manifest/${sha256}.json`), root, index)
      if (run.kind === 'malformed') throw new Error(run.reason)
      return run.entries
    })
    return new BuiltSite(folder, root, entries)
  }

  /** Returns a value that changes with every build of the folder. */
  static stampOf(folder: string): string {
    const { mtimeMs, ino } = statSync(join(folder, MANIFEST), { throwIfNoEntry: false }) ?? {}
    return `${mtimeMs} ${ino}`
  }

  /** Finds the file or redirect at a path, given without the base path and the leading slash. */
  find(path: string): FoundFile | undefined {
    // A service serves its own script at this path, so the manifest does not list the built one.
    if (path === HOST_SCRIPT_PATH) return { kind: 'file', path }
    const file = this.#fileAt(path)
    if (file !== undefined) return { kind: 'file', path: file }
    const match = this.#redirects.match(`/${path}`)
    if (match === undefined) return undefined
    const { destination, redirect } = match
    const isOwn = !isExternalDestination(redirect.destination)
    const hasBase =
      destination.startsWith(`${this.basePath}/`) &&
      this.#fileAt(destination.slice(1)) === undefined
    const url = encodeURI(isOwn && !hasBase ? this.basePath + destination : destination)
    return { kind: 'redirect', status: redirect.permanent ? 308 : 307, url }
  }

  /** Returns the bytes of a file that `find` has returned, as an anonymous reader gets them. */
  read(path: string): Uint8Array {
    const bytes = readFileSync(join(this.#folder, path))
    return omitRanges(bytes, this.#entries.get(path)?.ranges ?? [], isAnonymouslyReadable)
  }

  #fileAt(path: string): string | undefined {
    const bare = path.replace(/\/+$/, '')
    const page = bare === '' ? 'index.html' : `${bare}/index.html`
    return [path, page].find((candidate) => this.#entries.has(candidate))
  }
}

function readText(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
