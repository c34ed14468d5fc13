/**
 * What a reader is sent of a file, and the name of those bytes in the cache that all projects of a
 * process share. A name can only be made here, of everything that decides the bytes.
 */
import { hash } from 'node:crypto'
import { type ByteSpan, type ManifestEntry, omittedSpans } from '@octavo/model'
import type { Encoding } from '../../platform/http/reader-request.ts'
import type { SiteView } from './find-file.ts'

/** A file of a deployment as the readers of one view may see it. */
export type SentFile = {
  readonly projectId: string
  readonly entry: ManifestEntry
  /** Empty for a file that the reader may see as a whole. */
  readonly omitted: readonly ByteSpan[]
  /** Of `omitted`; empty for a whole file. */
  readonly omittedDigest: string
  /** Of what is sent, before it is compressed. */
  readonly size: number
}

declare const isBlobKey: unique symbol
/** Names bytes in the cache. */
export type BlobKey = string & { readonly [isBlobKey]: true }

/** Files of the theme and of its scripts. They show how a site looks, and no text of its pages. */
const ASSET = /^_octavo\/(?:(?:scripts|styles)\/|icons-)/
export const isAsset = (path: string) => ASSET.test(path)

/**
 * A digest decides the whole bytes, so projects could share them. But the first request for a file takes
 * longer than the next, so whoever deploys a guess could measure whether another project has the same
 * private page. Only assets are shared: they are the same on thousands of sites, and tell nothing.
 */
export function blobKey(file: SentFile, encoding: Encoding | undefined): BlobKey {
  const { projectId, entry, omittedDigest } = file
  const owner = omittedDigest === '' && isAsset(entry.path) ? 'asset' : projectId
  return `${owner} ${entry.sha256} ${omittedDigest} ${encoding ?? ''}` as BlobKey
}

/** Computed once for a view and an entry: a file may have thousands of ranges. */
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
