/**
 * Splits XML text into tokens with their positions, in linear time. It accepts the same text as
 * browsers do and, like them, stops at the first error.
 */
export type XmlToken =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: readonly XmlAttribute[]
      readonly isEmpty: boolean
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'close'; readonly name: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'instruction'
      readonly name: string
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'text' | 'cdata' | 'comment' | 'doctype'
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'broken'; readonly start: number; readonly end: number }

type XmlAttribute = {
  readonly name: string
  /** The raw value, in which references are not expanded. */
  readonly value: string
}

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*/uy
const SPACE = /\s*/y

export function* xmlTokens(text: string): Generator<XmlToken> {
  let at = 0
  while (at < text.length) {
    const token = readToken(text, at)
    yield token
    if (token.kind === 'broken') return
    at = token.end
  }
}

function readToken(text: string, start: number): XmlToken {
  if (text.charAt(start) !== '<') {
    const next = text.indexOf('<', start)
    return { kind: 'text', start, end: next < 0 ? text.length : next }
  }
  if (text.startsWith('<!--', start)) return until(text, start, { kind: 'comment', ending: '-->' })
  if (text.startsWith('<![CDATA[', start)) {
    return until(text, start, { kind: 'cdata', ending: ']]>' })
  }
  if (text.startsWith('<?', start)) {
    const token = until(text, start, { kind: 'comment', ending: '?>' })
    if (token.kind === 'broken') return token
    return { kind: 'instruction', name: nameAt(text, start + 2), start, end: token.end }
  }
  if (text.startsWith('<!DOCTYPE', start)) return readDoctype(text, start)
  return readTag(text, start)
}

function until(
  text: string,
  start: number,
  { kind, ending }: { readonly kind: 'comment' | 'cdata'; readonly ending: string },
): XmlToken {
  const at = text.indexOf(ending, start + 2)
  return at < 0 ? broken(text, start) : { kind, start, end: at + ending.length }
}

/** Reads a doctype. Its declarations are in brackets and may contain any quoted text. */
function readDoctype(text: string, start: number): XmlToken {
  let depth = 0
  for (let at = start + 2; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"' || sign === "'") {
      const close = text.indexOf(sign, at + 1)
      if (close < 0) break
      at = close
    } else if (text.startsWith('<!--', at)) {
      const close = text.indexOf('-->', at)
      if (close < 0) break
      at = close + 2
    } else if (sign === '[') depth += 1
    else if (sign === ']') depth -= 1
    else if (sign === '>' && depth === 0) return { kind: 'doctype', start, end: at + 1 }
  }
  return broken(text, start)
}

function readTag(text: string, start: number): XmlToken {
  const isClosing = text.charAt(start + 1) === '/'
  const from = start + (isClosing ? 2 : 1)
  const name = nameAt(text, from)
  if (name === '') return broken(text, start)
  let at = skipSpace(text, from + name.length)
  if (isClosing) {
    if (text.charAt(at) !== '>') return broken(text, start)
    return { kind: 'close', name, start, end: at + 1 }
  }
  const attributes: XmlAttribute[] = []
  while (at < text.length) {
    if (text.charAt(at) === '>') {
      return { kind: 'open', name, attributes, isEmpty: false, start, end: at + 1 }
    }
    if (text.startsWith('/>', at)) {
      return { kind: 'open', name, attributes, isEmpty: true, start, end: at + 2 }
    }
    const key = nameAt(text, at)
    const equals = skipSpace(text, at + key.length)
    const opening = skipSpace(text, equals + 1)
    const quote = text.charAt(opening)
    if (key === '' || text.charAt(equals) !== '=' || (quote !== '"' && quote !== "'")) break
    const close = text.indexOf(quote, opening + 1)
    if (close < 0) break
    attributes.push({ name: key, value: text.slice(opening + 1, close) })
    at = skipSpace(text, close + 1)
  }
  return broken(text, start)
}

function nameAt(text: string, at: number): string {
  NAME.lastIndex = at
  return NAME.exec(text)?.[0] ?? ''
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

function broken(text: string, start: number): XmlToken {
  return { kind: 'broken', start, end: text.length }
}
