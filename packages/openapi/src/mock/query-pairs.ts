import { decodeQueryPart } from './decode-part.ts'

/** A name and its value, which is still percent-encoded because some styles split it. */
export type QueryPair = { readonly name: string; readonly written: string }

/** Parses a query or a form of the type `application/x-www-form-urlencoded`. */
export function parseQuery(query: string): readonly QueryPair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name: decodeQueryPart(name), written: value.join('=') }
    })
}
