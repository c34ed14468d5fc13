/** Reads a deployment's manifest from the blobs that its project has uploaded. */
import { createHash } from 'node:crypto'
import {
  isReservedSource,
  labelId,
  type ManifestEntry,
  type ManifestRoot,
  parseManifestRoot,
  parseManifestRun,
  runIndexOf,
} from '@octavo/model'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'

export const DEPLOYMENT_LIMITS = {
  files: 100_000,
  /**
   * The Markdown of all pages is also served as one file, which is larger than 30 MB for 5,000
   * pages.
   */
  fileBytes: 100 * 1024 * 1024,
  bytes: 2 * 1024 * 1024 * 1024,
  /** The limit for the root and for each single run. */
  manifestBytes: 8 * 1024 * 1024,
  redirects: 10_000,
  /**
   * The limit for redirects with wildcards: each of them is compared with every path that the site
   * does not have.
   */
  redirectPatterns: 1_000,
} as const

/**
 * Matches paths that the host handles itself. Pages below `/mcp` are allowed, since sites have
 * them.
 */
const RESERVED =
  /^(?:_octavo\/(?:version\.json|host\.js|proxy|questions\.jsonl)|(?:mcp|login|logout|login\/(?:callback|code|jwt-callback))(?:\/index\.html)?$|\.well-known\/(?:octavo|mcp|oauth-protected-resource)(?:[./]|$))/i
/** Matches escapes that have a different meaning to a proxy that decodes a path once more. */
const ENCODED = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|%(?:2f|5c|[01][\da-f]|7f)/i
/** The base path and the origins are checked because they become part of headers. */
const BASE_PATH = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~-]+\/)*(?:(?!\.{1,2}$)[\w.~-]+)?$/
const ORIGIN = /^[\w.*:/?=&%~@+[\]-]{1,300}$/
const WILDCARD = /:\w+[*?]?|\*/g

export type ReadRun =
  | { readonly kind: 'run'; readonly entries: readonly ManifestEntry[] }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Returns the root, or the reason why it is invalid. */
export function readRoot(text: string): ReturnType<typeof parseManifestRoot> {
  if (Buffer.byteLength(text) > DEPLOYMENT_LIMITS.manifestBytes)
    return { kind: 'malformed', reason: 'The root is too large.' }
  const parsed = parseManifestRoot(text)
  const reason = parsed.kind === 'root' ? findBadFact(parsed.root) : undefined
  return reason === undefined ? parsed : { kind: 'malformed', reason }
}

/** Finds invalid values that the host would use in headers and patterns. */
function findBadFact(root: ManifestRoot): string | undefined {
  const { basePath, origins, redirects, labels } = root
  for (const [id, label] of labels)
    if (id !== labelId(label, digestOf)) return `The groups of the label ${id} do not match its id.`
  if (!BASE_PATH.test(basePath)) return 'The base path is not a path such as `/docs`.'
  const bad = Object.values(origins)
    .flat()
    .find((origin) => !ORIGIN.test(origin))
  if (bad !== undefined) return `"${bad.slice(0, 100)}" is not an origin.`
  const patterns = redirects.filter(({ source }) => wildcardsOf(source) > 0)
  const { redirects: max, redirectPatterns: patternsMax } = DEPLOYMENT_LIMITS
  if (redirects.length > max) return `A site can have at most ${max} redirects.`
  if (patterns.length > patternsMax)
    return `A site can have at most ${patternsMax} redirects with wildcards.`
  for (const { source, destination } of redirects) {
    const name = `The redirect from "${source.slice(0, 100)}"`
    if (!source.isWellFormed() || !destination.isWellFormed())
      return `${name} is not well-formed Unicode.`
    // Older deployments can contain such a redirect. They are served without it.
    if (isReservedSource(source)) return `${name} starts below "/_octavo/".`
    // Matching several wildcards takes polynomial time, so one request could block the host.
    if (source.split('/').some((part) => wildcardsOf(part) > 1))
      return `${name} has two wildcards between slashes.`
  }
  return undefined
}

const wildcardsOf = (text: string) => [...text.matchAll(WILDCARD)].length

export async function readRun(
  blobs: BlobStore,
  root: ManifestRoot,
  index: number,
): Promise<ReadRun> {
  const sha256 = root.runs[index]?.sha256 ?? ''
  const bytes = await readBlob(blobs, sha256, DEPLOYMENT_LIMITS.manifestBytes)
  if (bytes === undefined) return { kind: 'malformed', reason: `The run ${sha256} is missing.` }
  return parseManifestRun(bytes.toString('utf8'), root, index)
}

/** Returns the entry of a file; undefined if the deployment does not have it. */
export async function findEntry(
  blobs: BlobStore,
  root: ManifestRoot,
  path: string,
): Promise<ManifestEntry | undefined> {
  const index = runIndexOf(root, path)
  const run = index < 0 ? undefined : await readRun(blobs, root, index)
  return run?.kind === 'run' ? run.entries.find((entry) => entry.path === path) : undefined
}

/**
 * Finds all problems in the entries of a manifest, so that they can be fixed together. The parser
 * has already rejected paths that point outside the site or contain control characters.
 */
export function findBadEntries(
  entries: readonly ManifestEntry[],
  sizes: ReadonlyMap<string, number>,
): readonly { readonly path: string; readonly reason: string }[] {
  const bad: { path: string; reason: string }[] = []
  const lower = new Map<string, string>()
  for (const { path, sha256, size, access } of entries) {
    // An empty list marks a redirect page for other hosts, which this host never serves.
    const isNeverServed = Array.isArray(access) && access.length === 0
    const stored = sizes.get(sha256)
    const other = isNeverServed ? undefined : lower.get(path.toLowerCase())
    if (!isNeverServed) lower.set(path.toLowerCase(), path)
    if (RESERVED.test(path) && !isNeverServed)
      bad.push({ path, reason: 'This path is reserved for the host.' })
    else if (ENCODED.test(path))
      bad.push({ path, reason: 'The path has an encoded dot, slash or control character.' })
    else if (path.includes('\\')) bad.push({ path, reason: 'The path has a backslash.' })
    else if (other !== undefined)
      bad.push({ path, reason: `The path differs from ${other} only in capitalization.` })
    else if (stored === undefined) bad.push({ path, reason: `The blob ${sha256} is missing.` })
    else if (stored !== size)
      bad.push({ path, reason: `The file has ${stored} bytes, not ${size}.` })
    else if (size > DEPLOYMENT_LIMITS.fileBytes)
      bad.push({ path, reason: `A file can have at most ${DEPLOYMENT_LIMITS.fileBytes} bytes.` })
  }
  return bad
}

export const digestOf = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest('hex')
