/** Finds tags in MDX text, with attributes that are text or expressions. */

export type FoundTag = {
  readonly at: number
  readonly end: number
  readonly name: string
  readonly written: string
  readonly attributes: string
  readonly isClosing: boolean
  readonly isEmpty: boolean
}

/** Characters of a tag. Some contain a whole program as text. */
const TAG_LENGTH_MAX = 50_000
const START = /<(\/?)([A-Za-z][\w.:-]*)/y

/** Returns the tags of a text in order. */
export function findTags(text: string): readonly FoundTag[] {
  const tags: FoundTag[] = []
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    START.lastIndex = at
    const [opening = '', slash, name = ''] = START.exec(text) ?? []
    const end = opening === '' ? undefined : tagEnd(text, at + opening.length)
    if (end === undefined) continue
    const isEmpty = text.charAt(end - 2) === '/'
    tags.push({
      at,
      end,
      name,
      written: text.slice(at, end),
      attributes: text.slice(at + opening.length, isEmpty ? end - 2 : end - 1),
      isClosing: slash === '/',
      isEmpty,
    })
  }
  return tags
}

/** Returns the offset after the `>` that ends a tag: quotes and braces can contain others. */
function tagEnd(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + TAG_LENGTH_MAX)
  let depth = 0
  for (let at = from; at < last; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"' || sign === "'" || (sign === '`' && depth > 0)) {
      const close = text.indexOf(sign, at + 1)
      if (close < 0) return undefined
      at = close
    } else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (sign === '<' && depth === 0) return undefined
    else if (sign === '>' && depth === 0) return at + 1
  }
  return undefined
}

export type TagAttributes = {
  readonly texts: ReadonlyMap<string, string>
  /** Attributes that are expressions, as written. */
  readonly codes: ReadonlyMap<string, string>
}

const NAME = /([\w:-]+)[ \t\n]*(=?)[ \t\n]*/y

export function readAttributes(written: string): TagAttributes {
  const texts = new Map<string, string>()
  const codes = new Map<string, string>()
  for (let at = 0; at < written.length; at += 1) {
    NAME.lastIndex = at
    const [found = '', name = '', sign] = NAME.exec(written) ?? []
    if (name === '') continue
    at += found.length
    if (sign === '') {
      texts.set(name, '')
      at -= 1
      continue
    }
    const open = written.charAt(at)
    const close = open === '{' ? codeEnd(written, at) : written.indexOf(open, at + 1)
    if (close < 0) break
    const value = written.slice(at + 1, close)
    const quoted = open === '{' ? /^\s*(["'`])([^"'`$\\]*)\1\s*$/.exec(value)?.[2] : value
    if (quoted === undefined) codes.set(name, value)
    else texts.set(name, quoted)
    at = close
  }
  return { texts, codes }
}

/** Returns the offset of the brace that closes the one at an offset; -1 if none does. */
function codeEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"' || sign === "'" || sign === '`') {
      const close = text.indexOf(sign, at + 1)
      if (close < 0) return -1
      at = close
    } else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

export function attribute(value: string): string {
  return `"${value.replaceAll('"', '&quot;').replaceAll('{', '&#123;')}"`
}
