/** Finds attribute lists of MkDocs, VitePress and Pandoc, such as `{ .class #id key="value" }`. */
import type { Range } from './foreign-syntax.ts'

export type AttributeList = Range & {
  readonly id: string | undefined
  readonly others: readonly string[]
}

const LENGTH_MAX = 300
const PART = /^(?:[.#][\w-]+|[\w:-]+=(?:"[^"]*"|'[^']*'|[^\s"'{}]+))(?:\s+|$)/

/** Returns the attribute lists of a line. Skips `{name}` and `{"key": 1}`. */
export function findAttributeLists(text: string): readonly AttributeList[] {
  const found: AttributeList[] = []
  let from = text.indexOf('{')
  while (from >= 0) {
    const close = text.slice(from, from + LENGTH_MAX).indexOf('}')
    const parts = close < 0 ? undefined : readParts(text.slice(from + 1, from + close))
    if (parts !== undefined) {
      const id = parts
        .findLast(isId)
        ?.replace(/^(?:#|id=)/, '')
        .replaceAll(/["']/g, '')
      const others = parts.filter((part) => !isId(part))
      found.push({ start: from, end: from + close + 1, id, others })
    }
    from = text.indexOf('{', from + 1)
  }
  return found
}

const isId = (part: string) => /^(?:#|id=)/.test(part)

/** Returns the parts of an attribute list; undefined if the text is not an attribute list. */
export function readParts(inside: string): readonly string[] | undefined {
  let rest = inside.replace(/^:/, '').trim()
  const parts: string[] = []
  while (rest !== '') {
    const part = PART.exec(rest)?.[0]
    if (part === undefined) return undefined
    parts.push(part.trim())
    rest = rest.slice(part.length)
  }
  return parts.length === 0 ? undefined : parts
}
