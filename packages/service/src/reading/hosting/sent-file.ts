/**
 * Describes the bytes of a file that a reader is sent, and their key in the cache that all projects
 * of a process share. Keys are created only here, from everything that determines the bytes.
 */
import { hash } from 'node:crypto'
import { type ByteSpan, type ManifestEntry, omittedSpans } from '@octavo/model'
import type { Encoding } from '../../platform/http/reader-request.ts'
import type { SiteView } from './find-file.ts'

/** A file of a deployment as readers of one view may see it. */
export type SentFile = {
  readonly projectId: string
  readonly entry: ManifestEntry
  /** Empty if the reader may see the whole file. */
  readonly omitted: readonly ByteSpan[]
  /** The digest of `omitted`; empty for a whole file. */
  readonly omittedDigest: string
  /** The size of the bytes sent, before compression. */
  readonly size: number
}

declare const isBlobKey: unique symbol
/** Identifies bytes in the cache. */
export type BlobKey = string & { readonly [isBlobKey]: true }

/** Files of the theme and its scripts. They contain no text of pages. */
const ASSET = /^_octavo\/(?:(?:scripts|styles)\/|icons-)/
export const isAsset = (path: string) => ASSET.test(path)

/**
 * The digest determines the bytes, so projects could share them. But the first request for a file
 * is slower than later ones, so by deploying a guess one could measure whether another project has
 * the same private page. Only assets are shared: they are identical on thousands of sites and
 * reveal nothing.
 */
export function blobKey(file: SentFile, encoding: Encoding | undefined): BlobKey {
  const { projectId, entry, omittedDigest } = file
  const owner = omittedDigest === '' && isAsset(entry.path) ? 'asset' : projectId
  return `${owner} ${entry.sha256} ${omittedDigest} ${encoding ?? ''}` as BlobKey
}

/** Computes the result once per view and entry, because a file may have thousands of ranges. */
export function createSentFiles(): (view: SiteView, entry: ManifestEntry) => SentFile {
  const known = new WeakMap<SiteView, WeakMap<ManifestEntry, SentFile>>()
  return (view, entry) => {
    const ofView = known.get(view) ?? new WeakMap<ManifestEntry, SentFile>()
    known.set(view, ofView)
    const file = ofView.get(entry) ?? sentFileOf(view, entry)
    ofView.set(entry, file)
    return file
  }
}

export function sentFileOf(view: SiteView, entry: ManifestEntry): SentFile {
  const omitted = omittedSpans(entry.ranges ?? [], view.isReadable)
  return {
    projectId: view.projectId,
    entry,
    omitted,
    omittedDigest: omitted.length === 0 ? '' : hash('sha256', JSON.stringify(omitted)),
    size: omitted.reduce((size, { start, end }) => size - (end - start), entry.size),
  }
}
