import type { Json } from '../document/spec-document.ts'

/** One HTTP request as an API page shows it. All texts come from an untrusted specification. */
export type SampleRequest = {
  /** In upper case; any token. */
  readonly method: string
  /** Absolute, or relative to the site ("/plants"); may contain {placeholders}. */
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
