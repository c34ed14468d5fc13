/** The port through which hosted specifications and fonts come in. Every outcome is a value. */

export type SpecificationFetcher = {
  /** Never rejects. The same URL has the same outcome as long as the fetcher lives. */
  readonly fetch: (url: string) => Promise<SpecificationOutcome>
  /** Never rejects. Without it fonts are left for another load. */
  readonly fetchFont?: (url: string) => Promise<FontOutcome>
}

export type FontOutcome =
  | { readonly kind: 'loaded'; readonly bytes: Uint8Array; readonly format: 'woff' | 'woff2' }
  /** The reason stands after the address: "is no font in WOFF or WOFF2". */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'pending' }

export type SpecificationOutcome =
  | { readonly kind: 'loaded'; readonly text: string }
  /** What is there now cannot be fetched or cannot be used; the last good copy stands in for it. */
  | {
      readonly kind: 'stale'
      readonly text: string
      /** When the copy was fetched. */
      readonly fetchedAtMs: number
      readonly because: 'unreachable' | 'unusable'
      readonly reason: string
    }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly hint: string }
  /** We do not talk to such addresses. */
  | { readonly kind: 'refused'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'too-large'; readonly bytesMax: number }
  /** Something is there, and it is no specification. */
  | { readonly kind: 'malformed'; readonly text: string }
  /** Nobody has asked yet; another load will know more. */
  | { readonly kind: 'pending' }

/** Gives outcomes that are known already: to a second process, or to a second look at a site. */
export function recordedFetcher(
  outcomes: ReadonlyMap<string, SpecificationOutcome>,
): SpecificationFetcher {
  return { fetch: async (url) => outcomes.get(url) ?? { kind: 'pending' } }
}
