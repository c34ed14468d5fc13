/**
 * Describes which bytes of a file a reader receives, and creates their key in the cache that all
 * projects of a process share. Only this module creates keys, from everything that determines the
 * bytes.
 */
import { hash } from 'node:crypto'
import { type ByteSpan, type ManifestEntry, omittedSpans } from '@octavo/model'
import type { Encoding } from '../../platform/http/reader-request.ts'
import type { SiteView } from './find-file.ts'

/** A file of a deployment, as a class of readers may see it. */
export type SentFile = {
  readonly projectId: string
  readonly entry: ManifestEntry
  /** The hidden parts of the file; empty if the reader may see all of it. */
  readonly omitted: readonly ByteSpan[]
  /** The digest of `omitted`; an empty string if the reader may see the whole file. */
  readonly omittedDigest: string
  /** The number of bytes that the reader receives, before compression. */
  readonly size: number
}

declare const isBlobKey: unique symbol
/** The key of bytes in the cache. */
export type BlobKey = string & { readonly [isBlobKey]: true }

/** Matches files of the theme and its scripts, which do not contain text of pages. */
const ASSET = /^_octavo\/(?:(?:scripts|styles)\/|icons-)/
export const isAsset = (path: string) => ASSET.test(path)

/**
 * Returns the cache key of a file. Projects do not share files, although equal digests mean equal
 * bytes: the first request for a file is slower, so by deploying a guess one could measure whether
 * another project has the same private page. Assets are shared, because they are the same on
 * thousands of sites and reveal nothing.
 */
export function blobKey(file: SentFile, encoding: Encoding | undefined): BlobKey {
  const { projectId, entry, omittedDigest } = file
  const owner = omittedDigest === '' && isAsset(entry.path) ? 'asset' : projectId
  return `${owner} ${entry.sha256} ${omittedDigest} ${encoding ?? ''}` as BlobKey
}

/**
 * Caches the result for each view and entry, because a file may have thousands of hidden ranges.
 */
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
