import type { Json } from '../document/spec-document.ts'

/**
 * An HTTP request that an API page shows. All strings in it come from an untrusted specification.
 */
export type SampleRequest = {
  /** The method in upper case. Any token is possible. */
  readonly method: string
  /** An absolute URL, or a path on the site (`/plants`). It may contain `{placeholders}`. */
  readonly url: string
  readonly headers: readonly Pair[]
  readonly cookies: readonly Pair[]
  readonly body?: SampleBody
}

export type Pair = readonly [name: string, value: string]

export type SampleBody =
  | { readonly kind: 'json'; readonly mediaType: string; readonly value: Json }
  | { readonly kind: 'form'; readonly fields: readonly Pair[] }
  | { readonly kind: 'multipart'; readonly parts: readonly SamplePart[] }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'file'; readonly mediaType: string; readonly fileName: string }

export type SamplePart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly fileName: string }
