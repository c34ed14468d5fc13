/** The port for fetching hosted specifications and fonts. Every outcome is a value. */

export type SpecificationFetcher = {
  /** Never rejects. Returns the same outcome for the same URL. */
  readonly fetch: (url: string) => Promise<SpecificationOutcome>
  /** Never rejects. Without it, fonts stay pending. */
  readonly fetchFont?: (url: string) => Promise<FontOutcome>
}

export type FontOutcome =
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array; readonly format: 'woff' | 'woff2' }
  /** The reason follows the URL in a sentence: "is not a WOFF or WOFF2 font". */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'pending' }

export type SpecificationOutcome =
  | { readonly kind: 'loaded'; readonly text: string }
  /** The document cannot be fetched or used; the last good copy is used instead. */
  | {
      readonly kind: 'stale'
      readonly text: string
      /** The time when the copy was fetched. */
      readonly fetchedAtMs: number
      readonly because: 'unreachable' | 'unusable'
      readonly reason: string
    }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly hint: string }
  /** Requests to this address are not allowed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'too-large'; readonly bytesMax: number }
  /** The document is not a specification. */
  | { readonly kind: 'malformed'; readonly text: string }
  /** Not fetched yet; a later load will know the outcome. */
  | { readonly kind: 'pending' }

/** Returns known outcomes, for another process or another load of a site. */
export function recordedFetcher(
  outcomes: ReadonlyMap<string, SpecificationOutcome>,
): SpecificationFetcher {
  return { fetch: async (url) => outcomes.get(url) ?? { kind: 'pending' } }
}
