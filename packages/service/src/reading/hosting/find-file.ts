/** Finds the file of a deployed site at a path, for one class of readers. */
import { createHash } from 'node:crypto'
import {
  type Access,
  agentLinks,
  contentPolicy,
  HOST_SCRIPT_PATH,
  isExternalDestination,
  type LanguageStart,
  type ManifestEntry,
  type ManifestRoot,
  mayRead,
  type Reader,
  RedirectTable,
  runIndexOf,
} from '@octavo/model'
import { SANDBOX } from '../../platform/http/send-response.ts'
import type { BlobCache } from './blob-cache.ts'
import type { SitePointer } from './site-directory.ts'

export type Found =
  | { readonly kind: 'file'; readonly entry: ManifestEntry }
  | { readonly kind: 'redirect'; readonly status: 307 | 308; readonly url: string }

export type SiteView = {
  readonly projectId: string
  readonly deploymentId: string
  readonly root: ManifestRoot
  /** `/docs`; empty at the root of the host. */
  readonly basePath: string
  /** Identifies the reader class of this deployment. */
  readonly name: string
  /** Only includes groups that the deployment knows. */
  readonly reader: Reader
  /**
   * True if readers may see different content, so that a shared cache may only store what is
   * public.
   */
  readonly isProtected: boolean
  readonly isReadable: (access: Access) => boolean
  readonly redirects: RedirectTable
  /** The start page of each language, the default first; empty with one language. */
  readonly languageStarts: readonly LanguageStart[]
  readonly isPreview: boolean
  /**
   * True for an unapproved preview of a fork: its pages get an opaque origin, so that their scripts
   * cannot read anything of the site or its readers.
   */
  readonly isSandboxed: boolean
  /** The `Content-Security-Policy` of its pages. */
  readonly policy: string
  /** The `Link` header of its pages. */
  readonly links: string
  /** The `Cache-Tag` of everything that a shared cache may store. */
  readonly cacheTag: string
}

/** All readers who may read the same files of a deployment. */
export type ReaderClass = { readonly name: string; readonly reader: Reader }

/** Determines the reader class. Only groups that the deployment knows count. */
export function classOf({ labels }: ManifestRoot, { hasSiteAccess, groups }: Reader): ReaderClass {
  const named = new Set([...labels.values()].flat())
  const reader = { hasSiteAccess, groups: new Set([...groups].filter((group) => named.has(group))) }
  const readable = [...labels].filter(([, label]) => mayRead(reader, label)).map(([id]) => id)
  if (!mayRead(reader, 'default')) return { name: 'closed', reader }
  if (readable.length === 0) return { name: 'open', reader }
  const digest = createHash('sha256').update(readable.toSorted().join(' ')).digest('hex')
  return { name: `open-${digest.slice(0, CLASS_LENGTH)}`, reader }
}

const CLASS_LENGTH = 32

/** `origin` is the site's origin if only our own scripts may run there. */
export function viewOf(
  root: ManifestRoot,
  { projectId, protection, preview, publicId, deploymentId }: SitePointer,
  { name, reader, origin }: ReaderClass & { readonly origin: string | undefined },
): SiteView {
  const isReadable = (access: Access) => mayRead(reader, access)
  const basePath = root.basePath.replace(/\/+$/, '')
  return {
    projectId,
    deploymentId,
    root,
    basePath,
    name,
    reader,
    isProtected: protection !== 'public',
    isReadable,
    // Only consulted if there is no file.
    redirects: new RedirectTable(
      root.redirects.filter(({ access }) => isReadable(access)),
      () => false,
    ),
    languageStarts: (root.languageStarts ?? []).filter(({ access }) => isReadable(access)),
    isPreview: preview !== undefined,
    isSandboxed: origin !== undefined,
    policy: origin === undefined ? policyOf(root.origins) : restrictedPolicy(origin + basePath),
    links: agentLinks(root.wellKnown ?? [], (address) => basePath + address),
    cacheTag: `p-${publicId},d-${deploymentId}`,
  }
}

/** Without an index that the reader may see, there is nothing to search or to answer from. */
export const hasIndex = ({ root, isReadable }: SiteView) =>
  root.search.some(({ access }) => isReadable(access))

/** `path` excludes the base path and the leading slash. */
export async function findFile(
  cache: BlobCache,
  view: SiteView,
  path: string,
): Promise<Found | undefined> {
  const entry = await entryAt(cache, view, path)
  if (entry !== undefined) return { kind: 'file', entry }
  const match = view.redirects.match(`/${path}`)
  if (match === undefined) return undefined
  const { destination, redirect } = match
  const isOwn = !isExternalDestination(redirect.destination)
  const hasBase =
    destination.startsWith(`${view.basePath}/`) &&
    (await entryAt(cache, view, destination.slice(1))) === undefined
  const url = encodeURI(isOwn && !hasBase ? view.basePath + destination : destination)
  return { kind: 'redirect', status: redirect.permanent ? 308 : 307, url }
}

/** Also returns true for a file that this reader may not see. */
export async function hasEntry(
  cache: BlobCache,
  root: ManifestRoot,
  path: string,
): Promise<boolean> {
  const index = runIndexOf(root, path)
  return index >= 0 && (await cache.run(root, index)).has(path)
}

async function entryAt(
  cache: BlobCache,
  view: SiteView,
  path: string,
): Promise<ManifestEntry | undefined> {
  const bare = path.replace(/\/+$/, '')
  const page = bare === '' ? 'index.html' : `${bare}/index.html`
  for (const candidate of path === '' ? [page] : [path, page]) {
    const index = runIndexOf(view.root, candidate)
    const entry = index < 0 ? undefined : (await cache.run(view.root, index)).get(candidate)
    if (entry !== undefined && view.isReadable(entry.access)) return entry
  }
  return undefined
}

/**
 * A page lists the hashes of its own scripts, and both policies apply, so this one allows all
 * inline scripts.
 */
function policyOf(origins: ManifestRoot['origins']): string {
  const policy = contentPolicy({ origins, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")}; frame-ancestors 'self'`
}

/**
 * The policy for pages of forks: only our own scripts run. Nothing is loaded from, sent to or
 * framed from other hosts, so no tool of `integrations` is loaded either.
 */
function restrictedPolicy(base: string): string {
  // Below the last path only the panel is a script; the other responses have other content types.
  const paths = ['_octavo/scripts/', HOST_SCRIPT_PATH, '_octavo/assistant/']
  const own = paths.map((path) => `${base}/${path}`).join(' ')
  const policy = contentPolicy({ origins: undefined, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", `script-src 'unsafe-inline' ${own}`)}; frame-src 'none'; frame-ancestors 'self'; ${SANDBOX}`
}
