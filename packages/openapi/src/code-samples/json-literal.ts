import type { Json } from '../document/spec-document.ts'

/** The syntax of dictionary and list literals in a language. */
export type LiteralSyntax = {
  readonly quote: (text: string) => string
  readonly number: (value: number) => string
  readonly null: string
  readonly true: string
  readonly false: string
  readonly indent: string
  /** Prints a key and its separator, such as `"name": `. */
  readonly key: (key: string) => string
  readonly object: (keys: readonly string[]) => readonly [open: string, close: string]
}

/** Prints a JSON value as a literal. Every line except the first is indented by `margin`. */
export function printJsonLiteral(value: Json, syntax: LiteralSyntax, margin: string): string {
  if (value === null) return syntax.null
  if (value === true) return syntax.true
  if (value === false) return syntax.false
  if (typeof value === 'number') return syntax.number(value)
  if (typeof value === 'string') return syntax.quote(value)
  const inner = margin + syntax.indent
  const entries = Array.isArray(value)
    ? value.map((item: Json) => printJsonLiteral(item, syntax, inner))
    : Object.entries(value).map(
        ([key, item]) => syntax.key(key) + printJsonLiteral(item, syntax, inner),
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : syntax.object(Object.keys(value))
  if (entries.length === 0) return open + close
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${margin}${close}`
}
