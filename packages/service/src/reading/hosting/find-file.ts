/** What a deployed site has at a path, for readers who may see the same. */
import { createHash } from 'node:crypto'
import {
  type Access,
  agentLinks,
  contentPolicy,
  HOST_SCRIPT_PATH,
  isElsewhere,
  type LanguageStart,
  type ManifestEntry,
  type ManifestRoot,
  mayRead,
  type Reader,
  RedirectTable,
  runIndexOf,
} from '@octavo/model'
import { SANDBOX } from '../../platform/http/send-reply.ts'
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
  /** The same for readers who see the same of the same deployment, and for nobody else. */
  readonly name: string
  /** Without groups that the deployment does not know. */
  readonly reader: Reader
  /** Readers of the site see different things, so a shared cache keeps only what is for everybody. */
  readonly isProtected: boolean
  readonly isReadable: (access: Access) => boolean
  readonly redirects: RedirectTable
  /** Where each language begins, the default first; empty with one language. */
  readonly languageStarts: readonly LanguageStart[]
  readonly isPreview: boolean
  /**
   * A preview of a fork that was not approved: its documents have an origin of their own, so that no
   * script in them reads anything of the site or of its readers.
   */
  readonly isSandboxed: boolean
  /** The `Content-Security-Policy` of its pages. */
  readonly policy: string
  /** The `Link` header of its pages. */
  readonly links: string
  /** The `Cache-Tag` of everything that a shared cache may keep. */
  readonly cacheTag: string
}

/** What readers of a deployment have in common who see the same of it. */
export type ReaderClass = { readonly name: string; readonly reader: Reader }

/** A reader may be in many groups: only those count that the deployment knows. */
export function classOf({ labels }: ManifestRoot, { isLetIn, groups }: Reader): ReaderClass {
  const named = new Set([...labels.values()].flat())
  const reader = { isLetIn, groups: new Set([...groups].filter((group) => named.has(group))) }
  const readable = [...labels].filter(([, label]) => mayRead(reader, label)).map(([id]) => id)
  if (!mayRead(reader, 'default')) return { name: 'closed', reader }
  if (readable.length === 0) return { name: 'open', reader }
  const digest = createHash('sha256').update(readable.toSorted().join(' ')).digest('hex')
  return { name: `open-${digest.slice(0, CLASS_LENGTH)}`, reader }
}

const CLASS_LENGTH = 32

/** `origin` is where the site is, if only our own scripts may run there. */
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
    // It is asked only where there is no file.
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

/** Without an index that the reader may see there is nothing to search or to answer from. */
export const hasIndex = ({ root, isReadable }: SiteView) =>
  root.search.some(({ access }) => isReadable(access))

/** `path` is without the base path and the first slash. */
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
  const isOwn = !isElsewhere(redirect.destination)
  const hasBase =
    destination.startsWith(`${view.basePath}/`) &&
    (await entryAt(cache, view, destination.slice(1))) === undefined
  const url = encodeURI(isOwn && !hasBase ? view.basePath + destination : destination)
  return { kind: 'redirect', status: redirect.permanent ? 308 : 307, url }
}

/** Also for a file that this reader may not see. */
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

/** A page names the hashes of its own scripts, and both policies count: here they are all let be. */
function policyOf(origins: ManifestRoot['origins']): string {
  const policy = contentPolicy({ origins, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")}; frame-ancestors 'self'`
}

/**
 * For pages of forks: the scripts of this program run, and none of theirs. Nothing is loaded from, sent
 * to or framed from other hosts, so that no tool of `integrations` is loaded either.
 */
function restrictedPolicy(base: string): string {
  // Of the last, only the panel is a script, and the others say that they are none.
  const paths = ['_octavo/scripts/', HOST_SCRIPT_PATH, '_octavo/assistant/']
  const own = paths.map((path) => `${base}/${path}`).join(' ')
  const policy = contentPolicy({ origins: undefined, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", `script-src 'unsafe-inline' ${own}`)}; frame-src 'none'; frame-ancestors 'self'; ${SANDBOX}`
}
