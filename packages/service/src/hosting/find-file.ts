/** What a deployed site has at a path, for a reader who is not signed in. */
import {
  type Access,
  agentLinks,
  contentPolicy,
  HOST_SCRIPT_PATH,
  type LanguageStart,
  type ManifestEntry,
  type ManifestRoot,
  mayRead,
  RedirectTable,
  runIndexOf,
} from '@octavo/model'
import type { BlobCache } from './blob-cache.ts'
import type { SitePointer } from './site-directory.ts'

export type Found =
  | { readonly kind: 'file'; readonly entry: ManifestEntry }
  | { readonly kind: 'redirect'; readonly status: 307 | 308; readonly url: string }

export type SiteView = {
  readonly root: ManifestRoot
  /** `/docs`; empty at the root of the host. */
  readonly basePath: string
  /** Of the readers who see the same. */
  readonly name: 'open' | 'closed'
  readonly isReadable: (access: Access) => boolean
  readonly redirects: RedirectTable
  /** Where each language begins, the default first; empty with one language. */
  readonly languageStarts: readonly LanguageStart[]
  readonly isPreview: boolean
  /** The `Content-Security-Policy` of its pages. */
  readonly policy: string
  /** The `Link` header of its pages. */
  readonly links: string
  /** The `Cache-Tag` of everything that a shared cache may keep. */
  readonly cacheTag: string
}

const NO_GROUPS: ReadonlySet<string> = new Set()

/**
 * `isProtected` decides about what has no label of its own: it fails closed. `origin` is where the site
 * is, if only our own scripts may run there.
 */
export function viewOf(
  root: ManifestRoot,
  { isProtected, preview, publicId, deploymentId }: SitePointer,
  origin: string | undefined,
): SiteView {
  const reader = { isLetIn: !isProtected, groups: NO_GROUPS }
  const isReadable = (access: Access) => mayRead(reader, access)
  const basePath = root.basePath.replace(/\/+$/, '')
  return {
    root,
    basePath,
    name: isProtected ? 'closed' : 'open',
    isReadable,
    // It is asked only where there is no file.
    redirects: new RedirectTable(
      root.redirects.filter(({ access }) => isReadable(access)),
      () => false,
    ),
    languageStarts: (root.languageStarts ?? []).filter(({ access }) => isReadable(access)),
    isPreview: preview !== undefined,
    policy: origin === undefined ? policyOf(root.origins) : restrictedPolicy(origin + basePath),
    links: agentLinks(root.wellKnown ?? [], (address) => basePath + address),
    cacheTag: `p-${publicId},d-${deploymentId}`,
  }
}

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
  const isOwn = destination.startsWith('/') && !destination.startsWith('//')
  const hasBase =
    destination.startsWith(`${view.basePath}/`) &&
    (await entryAt(cache, view, destination.slice(1))) === undefined
  const url = encodeURI(isOwn && !hasBase ? view.basePath + destination : destination)
  return { kind: 'redirect', status: redirect.permanent ? 308 : 307, url }
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
 * For pages of strangers: the scripts of this program run, and none of theirs. Nothing is loaded from,
 * sent to or framed from other hosts.
 */
function restrictedPolicy(base: string): string {
  // Of the last, only the panel is a script, and the others say that they are none.
  const paths = ['_octavo/scripts/', HOST_SCRIPT_PATH, '_octavo/assistant/']
  const own = paths.map((path) => `${base}/${path}`).join(' ')
  const policy = contentPolicy({ origins: undefined, scriptHashes: [] })
  return `${policy.replace("script-src 'self'", `script-src 'unsafe-inline' ${own}`)}; frame-src 'none'; frame-ancestors 'self'`
}
