/**
 * Removes active content from SVG images. An SVG image that is opened directly is a document of the
 * site, so its scripts would run with the site's rights. Headers prevent this, but not every host
 * sends them. Therefore an allowlist removes everything that could run code or load from other
 * hosts. Nearly all images have no such content and are served unchanged.
 */

import { type XmlToken, xmlTokens } from '../../source/images/xml-tokens.ts'
import { hasOutsideUrl, isAllowedAttribute, isAllowedTag, withoutOutsideUrls } from './svg-rules.ts'

export type CleanedSvg = {
  readonly text: string
  /** Descriptions of the removed parts, without duplicates. */
  readonly removed: readonly string[]
}

const DEPTH_MAX = 1_000
/** Matches encodings that represent markup characters as ASCII bytes. */
const PLAIN_ENCODING = /^(?:utf-8|us-ascii|ascii|iso-8859-\d+|windows-125\d)$/i
const REMOVED_LISTED_MAX = 10

/** Returns undefined if the image does not need to be changed. */
export function cleanSvg(text: string): CleanedSvg | undefined {
  return new Cleaner(text).clean()
}

type Scope = ReadonlyMap<string, string>
type OpenTag = Extract<XmlToken, { kind: 'open' }>

class Cleaner {
  readonly #text: string
  readonly #removed = new Set<string>()
  readonly #parts: string[] = []
  readonly #entities = new Map<string, string>()
  readonly #scopes: Scope[] = []
  readonly #tags: string[] = []
  /** The nesting depth inside a removed element; 0 outside of one. */
  #skipped = 0
  #isChanged = false

  constructor(text: string) {
    this.#text = text
  }

  clean(): CleanedSvg | undefined {
    for (const token of xmlTokens(this.#text)) this.#token(token)
    if (!this.#isChanged) return undefined
    return { text: this.#parts.join(''), removed: [...this.#removed] }
  }

  #token(token: XmlToken): void {
    switch (token.kind) {
      case 'open':
        this.#open(token)
        return
      case 'close':
        this.#close(token)
        return
      case 'text':
      case 'cdata':
        this.#words(token)
        return
      case 'comment':
        if (this.#skipped === 0) this.#keep(token)
        return
      case 'instruction':
        this.#instruction(token)
        return
      case 'doctype':
        this.#doctype(token)
        return
      case 'broken':
        this.#remove('everything after a syntax error')
    }
  }

  #open(token: OpenTag): void {
    if (this.#skipped > 0) {
      if (!token.isEmpty) this.#skipped += 1
      return
    }
    const scope = this.#scopeOf(token)
    const [prefix, local] = splitName(token.name)
    const isAllowed =
      isAllowedTag(scope.get(prefix), local) &&
      this.#tags.length < DEPTH_MAX &&
      !this.#animatesAddress(token)
    if (!isAllowed) {
      this.#remove(`<${local}>`)
      if (!token.isEmpty) this.#skipped = 1
      return
    }
    const kept = token.attributes.filter(({ name, value }) => {
      const isKept = isNamespace(name) || isAllowedAttribute(local, name, this.#plain(value))
      if (!isKept) this.#remove(`the attribute ${name}`)
      return isKept
    })
    this.#putTag(token, kept)
    if (token.isEmpty) return
    this.#scopes.push(scope)
    this.#tags.push(local)
  }

  #putTag(token: OpenTag, kept: OpenTag['attributes']): void {
    const written = this.#text.slice(token.start, token.end)
    const isSame = kept.length === token.attributes.length
    if (isSame && (this.#entities.size === 0 || !written.includes('&'))) {
      this.#parts.push(written)
      return
    }
    const attributes = kept.map(({ name, value }) => ` ${name}="${escapeXml(this.#plain(value))}"`)
    this.#parts.push(`<${token.name}${attributes.join('')}${token.isEmpty ? '/>' : '>'}`)
  }

  /** Checks whether an animation changes an address, which could set an unsafe address later. */
  #animatesAddress({ attributes }: OpenTag): boolean {
    return attributes.some(
      ({ name, value }) =>
        name === 'attributeName' && !isAllowedAttribute('', name, this.#plain(value)),
    )
  }

  #close(token: Extract<XmlToken, { kind: 'close' }>): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1
      return
    }
    this.#scopes.pop()
    this.#tags.pop()
    this.#keep(token)
  }

  #words(token: XmlToken): void {
    if (this.#skipped > 0) return
    const written = this.#text.slice(token.start, token.end)
    const isStyle = this.#tags.at(-1) === 'style'
    const hasEntities = this.#entities.size > 0 && token.kind === 'text' && written.includes('&')
    const words = token.kind === 'text' ? this.#plain(written) : written.slice(9, -3)
    if (isStyle && hasOutsideUrl(words)) {
      this.#remove('URLs in its styles')
      this.#parts.push(escapeXml(withoutOutsideUrls(words)))
    } else this.#parts.push(hasEntities ? escapeXml(words) : written)
  }

  #instruction(token: Extract<XmlToken, { kind: 'instruction' }>): void {
    if (this.#skipped > 0) return
    if (token.name === 'xml-stylesheet') {
      this.#remove('<?xml-stylesheet?>')
      return
    }
    const written = this.#text.slice(token.start, token.end)
    const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(written)?.[1] ?? 'utf-8'
    if (token.name !== 'xml' || PLAIN_ENCODING.test(encoding)) this.#keep(token)
    else this.#remove(`the encoding ${encoding}`)
  }

  /**
   * Removes the declarations in a doctype, because they can add attributes to elements. Text
   * entities are expanded where they are used.
   */
  #doctype(token: XmlToken): void {
    const written = this.#text.slice(token.start, token.end)
    if (!written.includes('[')) {
      this.#keep(token)
      return
    }
    this.#isChanged = true
    for (const [, name = '', , value = ''] of written.matchAll(ENTITY)) {
      if (/[<&%]/.test(value)) this.#remove('entity declarations with markup')
      else if (this.#entities.size < ENTITIES_MAX) this.#entities.set(name, value)
    }
    if (/<!ATTLIST/.test(written)) this.#remove('attribute declarations')
  }

  #scopeOf({ attributes }: OpenTag): Scope {
    const around = this.#scopes.at(-1) ?? NO_NAMESPACES
    const own = attributes.filter(({ name }) => isNamespace(name))
    if (own.length === 0) return around
    const scope = new Map(around)
    for (const { name, value } of own) {
      scope.set(name === 'xmlns' ? '' : name.slice('xmlns:'.length), this.#plain(value))
    }
    return scope
  }

  /** Expands character and entity references in text. */
  #plain(text: string): string {
    if (!text.includes('&')) return text
    return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([^;&\s]{1,80}));/gi, (...found) => {
      const [whole, hex, decimal, name] = found as [string, string?, string?, string?]
      if (name !== undefined) return NAMED[name] ?? this.#entities.get(name) ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
  }

  #keep({ start, end }: XmlToken): void {
    this.#parts.push(this.#text.slice(start, end))
  }

  #remove(what: string): void {
    this.#isChanged = true
    if (this.#removed.size < REMOVED_LISTED_MAX) this.#removed.add(what)
  }
}

const NO_NAMESPACES: Scope = new Map()
const ENTITIES_MAX = 100
const ENTITY = /<!ENTITY\s+([^\s%"'<>]{1,80})\s+(["'])([^"']{0,2000})\2\s*>/g
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

function splitName(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
