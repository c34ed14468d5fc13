/**
 * Defines the interface for fetching hosted specifications and fonts. Every outcome, even a
 * failure, is a value.
 */

import type { FontPackage } from './fonts/font-record.ts'

export type SpecificationFetcher = {
  /**
   * Never rejects. Always returns the same outcome for the same URL. A part is a document that a
   * specification refers to, and need not be one itself.
   */
  readonly fetch: (url: string, isPart?: boolean) => Promise<SpecificationOutcome>
  /** Never rejects. If it is undefined, fonts remain pending. */
  readonly fetchFont?: (source: string) => Promise<FontOutcome>
}

export type FontOutcome =
  /** `files` are the files of the package by path. */
  | {
      readonly kind: 'package'
      readonly package: FontPackage
      readonly files: ReadonlyMap<string, Uint8Array>
    }
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array; readonly format: 'woff' | 'woff2' }
  /** The reason is the part of a sentence that follows the URL or the package: "is not a WOFF or WOFF2 font". */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'pending' }

export type SpecificationOutcome =
  | { readonly kind: 'loaded'; readonly text: string }
  /** The document cannot be fetched or used, so the last good copy is used instead. */
  | {
      readonly kind: 'stale'
      readonly text: string
      /** The time at which the copy was fetched. */
      readonly fetchedAtMs: number
      readonly because: 'unreachable' | 'unusable'
      readonly reason: string
    }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly hint: string }
  /** Requests to this address are not allowed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'too-large'; readonly bytesMax: number }
  /** The document is not a specification, or not even data if it is a part of one. */
  | { readonly kind: 'malformed'; readonly text: string }
  /** The document was not fetched yet; a later load will have another outcome. */
  | { readonly kind: 'pending' }

/**
 * Returns a fetcher that only returns known outcomes, for another process or another load of a
 * site.
 */
export function recordedFetcher(
  outcomes: ReadonlyMap<string, SpecificationOutcome>,
): SpecificationFetcher {
  return { fetch: async (url) => outcomes.get(url) ?? { kind: 'pending' } }
}
