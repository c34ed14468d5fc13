/** Finds the file for a path of a deployed site, as one class of readers may see it. */
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
  /** The base path such as `/docs`; empty if the site is at the root of its host. */
  readonly basePath: string
  /** Identifies the class of the reader within the deployment. */
  readonly name: string
  /** The reader, with only those groups that the deployment uses. */
  readonly reader: Reader
  /** Whether the site is private: a shared cache may then store only its public files. */
  readonly isProtected: boolean
  readonly isReadable: (access: Access) => boolean
  /** Returns the redirects that the reader may see. Most views never need them. */
  readonly redirects: () => RedirectTable
  /**
   * The start page of each language, the default language first. Empty if the site has only one
   * language.
   */
  readonly languageStarts: readonly LanguageStart[]
  readonly isPreview: boolean
  /**
   * Whether this is an unapproved preview of a fork. Its pages get an opaque origin, so that their
   * scripts cannot access the site or its readers.
   */
  readonly isSandboxed: boolean
  /** The `Content-Security-Policy` header of the pages. */
  readonly policy: string
  /** The `Link` header of the pages. */
  readonly links: string
  /** The `Cache-Tag` header of all files that a shared cache may store. */
  readonly cacheTag: string
}

/** All readers who may read the same files of a deployment. */
export type ReaderClass = { readonly name: string; readonly reader: Reader }

/** Returns the class of a reader. Groups that the deployment does not use are ignored. */
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

/**
 * Returns a deployment as a class of readers sees it. `origin` is the origin of the site if only
 * the service's scripts may run there, and undefined otherwise.
 */
export function viewOf(
  root: ManifestRoot,
  { projectId, protection, preview, publicId, deploymentId }: SitePointer,
  { name, reader, origin }: ReaderClass & { readonly origin: string | undefined },
): SiteView {
  const isReadable = (access: Access) => mayRead(reader, access)
  const basePath = root.basePath.replace(/\/+$/, '')
  let redirects: RedirectTable | undefined
  return {
    projectId,
    deploymentId,
    root,
    basePath,
    name,
    reader,
    isProtected: protection !== 'public',
    isReadable,
    redirects: () => {
      // Redirects only apply to paths without a file, so the table does not need to know the files.
      redirects ??= new RedirectTable(
        root.redirects.filter(({ access }) => isReadable(access)),
        () => false,
      )
      return redirects
    },
    languageStarts: (root.languageStarts ?? []).filter(({ access }) => isReadable(access)),
    isPreview: preview !== undefined,
    isSandboxed: origin !== undefined,
    policy: origin === undefined ? policyOf(root.origins) : restrictedPolicy(origin + basePath),
    links: agentLinks(root.wellKnown ?? [], (address) => basePath + address),
    cacheTag: `p-${publicId},d-${deploymentId}`,
  }
}

/**
 * Checks whether there is a search index that the reader may see. Without one, neither search nor
 * answers are possible.
 */
export const hasIndex = ({ root, isReadable }: SiteView) =>
  root.search.some(({ access }) => isReadable(access))

/** Finds a file or a redirect. `path` does not include the base path or the leading slash. */
export async function findFile(
  cache: BlobCache,
  view: SiteView,
  path: string,
): Promise<Found | undefined> {
  const entry = await entryAt(cache, view, path)
  if (entry !== undefined) return { kind: 'file', entry }
  const match = view.redirects().match(`/${path}`)
  if (match === undefined) return undefined
  const { destination, redirect } = match
  const isOwn = !isExternalDestination(redirect.destination)
  const hasBase =
    destination.startsWith(`${view.basePath}/`) &&
    (await entryAt(cache, view, destination.slice(1))) === undefined
  const url = encodeURI(isOwn && !hasBase ? view.basePath + destination : destination)
  return { kind: 'redirect', status: redirect.permanent ? 308 : 307, url }
}

/** Checks whether a deployment has a file, even one that the current reader may not see. */
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
 * Returns the policy of ordinary pages. A page has a second policy with the hashes of its inline
 * scripts, and both apply, so this policy allows all inline scripts.
 */
function policyOf(origins: ManifestRoot['origins']): string {
  const policy = contentPolicy({ origins, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")}; frame-ancestors 'self'`
}

/**
 * Returns the policy for pages of a fork's preview. Only scripts of the service may run. Requests
 * to other hosts and frames from them are blocked, so the tools in `integrations` are not loaded
 * either.
 */
function restrictedPolicy(base: string): string {
  // Below the assistant's path, only the panel is a script. Its other responses have other content
  // types.
  const paths = ['_octavo/scripts/', HOST_SCRIPT_PATH, '_octavo/assistant/']
  const own = paths.map((path) => `${base}/${path}`).join(' ')
  const policy = contentPolicy({ origins: undefined, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", `script-src 'unsafe-inline' ${own}`)}; frame-src 'none'; frame-ancestors 'self'; ${SANDBOX}`
}
