/**
 * Turns Markdown into MDX that means the same: braces and angle brackets in text are escaped, and
 * HTML is written as MDX reads it. Addresses, headings and references are rewritten on the way, as
 * the caller says.
 */
import { applyEdits, type Edit } from '@octavo/model'
import type { MdastNode } from 'satteri'
import { checkSource } from '../markdown/check-source.ts'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { HeadingIds } from '../tree/heading-ids.ts'
import { addressEdit, imageTag } from './addresses.ts'
import { escapeText } from './escape-text.ts'
import { convertHtml, spreadTags } from './html-to-mdx.ts'
import { OpenTags } from './open-tags.ts'
import { separateTags } from './separate-tags.ts'

export type Address = {
  readonly url: string
  readonly kind: 'link' | 'image' | 'html'
}

export type Rewrite = {
  /** Returns the address to write instead; undefined to keep it. */
  readonly address: (address: Address) => string | undefined
  /** Returns the id that the other tool gave a heading with this text. */
  readonly headingId?: (text: string) => string
  /** Returns true if `{{name}}` is a variable and stays. */
  readonly isVariable?: (name: string) => boolean
  /** Explanations of abbreviations, shown at the first use of each. */
  readonly abbreviations?: ReadonlyMap<string, string>
  /** Called with each tag or attribute that cannot be kept. */
  readonly drop?: (written: string) => void
}

export type Heading = { readonly text: string; readonly id: string; readonly depth: number }

export type Mdx = {
  readonly text: string
  /** The first heading of level one, which was removed, if no other heading is before it. */
  readonly title: Heading | undefined
  readonly headings: readonly Heading[]
}

/** Converts a Markdown body. A body that no page may have is returned as it is. */
export function markdownToMdx(markdown: string, rewrite: Rewrite): Mdx {
  if (checkSource(markdown, 'md') !== undefined)
    return { text: markdown, title: undefined, headings: [] }
  const body = separateTags(markdown)
  const converter = new Converter(body, rewrite, false)
  const mdx = converter.convert()
  // More tags without a partner than the parser repairs: the page remains one with mistakes.
  const isBeyondRepair = converter.unpairedTags > CONTENT_LIMITS.repairsMax
  if (isBeyondRepair || checkSource(mdx.text, 'mdx') !== undefined) return mdx
  const problems = parseMarkdown(mdx.text, 'mdx').problems.length
  if (problems === 0) return mdx
  // MDX is stricter about tags inside a paragraph, so each tag is put on a line of its own.
  const spread = new Converter(body, rewrite, true).convert()
  return parseMarkdown(spread.text, 'mdx').problems.length < problems ? spread : mdx
}

class Converter {
  readonly #body: string
  readonly #rewrite: Rewrite
  readonly #isSpread: boolean
  readonly #edits: Edit[] = []
  readonly #headings: Heading[] = []
  readonly #ids = new HeadingIds()
  readonly #explained = new Set<string>()
  readonly #tags = new OpenTags()
  #title: Heading | undefined

  constructor(body: string, rewrite: Rewrite, isSpread: boolean) {
    this.#isSpread = isSpread
    this.#body = body
    this.#rewrite = rewrite
  }

  convert(): Mdx {
    this.#walk(parseMarkdown(this.#body, 'md').root, false)
    const { text } = applyEdits(this.#body, this.#edits)
    return { text: escapeStatements(text), title: this.#title, headings: this.#headings }
  }

  get unpairedTags(): number {
    return this.#tags.unpaired
  }

  #walk(node: MdastNode, isInLink: boolean): void {
    const range = rangeOf(node)
    switch (node.type) {
      case 'text':
        this.#escape(range.start, range.end, isInLink)
        return
      case 'html':
        this.#addHtml(range.start, range.end)
        return
      case 'code':
        this.#addCode(node.value, range)
        return
      case 'heading':
        if (this.#addHeading(node, range)) return
        break
      case 'image':
        if (this.#addImage(node, range)) return
        break
      case 'link':
        this.#addLink(node, range)
        if (this.#body.charAt(range.start) === '<') return
        break
      case 'definition':
        this.#addAddress(node.url, 'link', range)
        return
      default:
    }
    if (!('children' in node)) return
    const { children } = node
    this.#tags.inside(() => {
      for (const child of children) this.#walk(child, isInLink || node.type === 'link')
    })
  }

  #put(start: number, end: number, put: string): void {
    if (this.#body.slice(start, end) !== put) this.#edits.push({ start, end, put })
  }

  #escape(start: number, end: number, isInLink: boolean): void {
    const { isVariable = () => false, abbreviations } = this.#rewrite
    const text = escapeText(this.#body.slice(start, end), {
      isVariable,
      isAfterBackslash: this.#body.charAt(start - 1) === '\\',
    })
    this.#put(start, end, isInLink ? text : this.#explain(text, abbreviations))
  }

  #explain(text: string, abbreviations: ReadonlyMap<string, string> | undefined): string {
    let explained = text
    for (const [word, meaning] of abbreviations ?? []) {
      if (this.#explained.has(word)) continue
      const at = indexOfWord(explained, word)
      if (at < 0) continue
      this.#explained.add(word)
      const tag = `<Tooltip tip="${meaning.replaceAll('"', '&quot;')}">${word}</Tooltip>`
      explained = explained.slice(0, at) + tag + explained.slice(at + word.length)
    }
    return explained
  }

  #addHtml(start: number, end: number): void {
    const { address, drop = () => undefined, isVariable = () => false } = this.#rewrite
    const html = convertHtml(this.#body.slice(start, end), {
      text: (text) => escapeText(text, { isVariable, isAfterBackslash: false }),
      address: (url) => address({ url, kind: 'html' }),
      tag: (written) => this.#tags.add(written),
      drop,
    })
    const prefix = this.#prefixAt(start)
    this.#put(start, end, this.#isSpread && prefix !== undefined ? spreadTags(html, prefix) : html)
  }

  /** Returns the prefix of the lines below if only a prefix precedes an offset on its line. */
  #prefixAt(offset: number): string | undefined {
    const before = this.#body.slice(this.#body.lastIndexOf('\n', offset - 1) + 1, offset)
    const isStart = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?$/.test(before)
    return isStart ? before.replaceAll(/[^>\s]/g, ' ') : undefined
  }

  /** Puts indented code into a fence: MDX reads indented lines as text. */
  #addCode(value: string, { start, end }: Range): void {
    if (/[`~]/.test(this.#body.charAt(start))) {
      this.#lengthenFence(value, { start, end })
      return
    }
    const lineStart = this.#body.lastIndexOf('\n', start - 1) + 1
    const written = this.#body.slice(lineStart, start).replaceAll(/[^>\s]/g, ' ')
    const prefix = written.replace(/(?: {4}|\t)$/, '')
    const from = start - (written.length - prefix.length)
    const longest = [...value.matchAll(/`{3,}/g)].map(([sign]) => sign.length)
    const fence = '`'.repeat(Math.max(3, ...longest.map((length) => length + 1)))
    const lines = [`${fence}text`, ...value.split('\n'), fence]
    this.#put(from, end, lines.join(`\n${prefix}`))
  }

  /** Lengthens a fence if MDX would end the code at an indented fence inside, which Markdown does not. */
  #lengthenFence(value: string, { start, end }: Range): void {
    const code = this.#body.slice(start, end)
    const sign = /^(`+|~+)/.exec(code)?.[0] ?? ''
    const closing = /(?<=\n[ \t>]*)(`+|~+)[ \t]*$/.exec(code)
    const inner = [...value.matchAll(/^[ \t]*(`{3,}|~{3,})/gm)].flatMap(([, one = '']) =>
      one.startsWith(sign) ? [one.length] : [],
    )
    if (inner.length === 0 || closing === null) return
    const longer = sign.charAt(0).repeat(Math.max(...inner) + 1)
    this.#put(start, start + sign.length, longer)
    this.#put(start + closing.index, end, longer)
  }

  /** Adds the id of a heading if ours would differ. Returns true if the heading becomes the title. */
  #addHeading(node: Extract<MdastNode, { type: 'heading' }>, range: Range): boolean {
    const written = textOf(node)
    const own = /\s*\{#([^\s{}]+)\}\s*$/.exec(written)
    const text = own === null ? written : written.slice(0, own.index)
    const id = own?.[1] ?? this.#rewrite.headingId?.(text) ?? ''
    const heading = { text: text.trim(), id, depth: node.depth }
    const isFirst = this.#headings.length === 0
    this.#headings.push(heading)
    if (node.depth === 1 && isFirst) {
      this.#title = heading
      this.#put(range.start, range.end, '')
      return true
    }
    const ours = this.#ids.fromText(text)
    if (own === null && id !== '' && id !== ours && /^[^\s{}]+$/.test(id)) {
      const line = this.#body.slice(range.start, range.end)
      const at = range.start + (/^[^\n]*?(?=[ \t]*#*[ \t]*(?:\n|$))/.exec(line)?.[0].length ?? 0)
      this.#edits.push({ start: at, end: at, put: ` {#${id}}` })
    }
    return false
  }

  /** Returns true if the image becomes a tag, because it has attributes that Markdown lacks. */
  #addImage(node: Extract<MdastNode, { type: 'image' }>, range: Range): boolean {
    const list = /^\{:?([^{}\n]{1,300})\}/.exec(this.#body.slice(range.end))
    const url = this.#rewrite.address({ url: node.url, kind: 'image' }) ?? node.url
    const tag = imageTag({ url, alt: node.alt ?? '', title: node.title ?? undefined }, list?.[1])
    if (tag === undefined) {
      this.#addAddress(node.url, 'image', range)
      return false
    }
    this.#put(range.start, range.end + (list?.[0].length ?? 0), tag)
    return true
  }

  #addLink(node: Extract<MdastNode, { type: 'link' }>, range: Range): void {
    if (this.#body.charAt(range.start) === '<') {
      const shown = this.#body.slice(range.start + 1, range.end - 1)
      this.#put(range.start, range.end, `[${escapeLabel(shown)}](${node.url})`)
      return
    }
    const last = node.children.at(-1)
    const after = last === undefined ? range.start : rangeOf(last).end
    this.#addAddress(node.url, 'link', { start: after, end: range.end })
  }

  #addAddress(url: string, kind: Address['kind'], { start, end }: Range): void {
    const put = this.#rewrite.address({ url, kind })
    const edit =
      put === undefined ? undefined : addressEdit(this.#body.slice(start, end), { url, put })
    if (edit === undefined) return
    this.#edits.push({ start: start + edit.start, end: start + edit.end, put: edit.put })
  }
}

type Range = { readonly start: number; readonly end: number }

function rangeOf({ position }: MdastNode): Range {
  const start = position?.start.offset ?? 0
  return { start, end: position?.end.offset ?? start }
}

function textOf(node: MdastNode): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

function escapeLabel(text: string): string {
  return text.replaceAll(/[[\]{}<_*]/g, '\\$&')
}

/** Returns the first place where a word is not part of another word or a tag. */
function indexOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + word.length)}`
    const isInTag = text.lastIndexOf('<', at) > text.lastIndexOf('>', at)
    if (!/[\p{L}\p{N}_]/u.test(around) && !isInTag) return at
  }
  return -1
}

/** Escapes paragraphs that MDX would read as an import or export. Code is left as it is. */
function escapeStatements(text: string): string {
  let fence = ''
  return text
    .split('\n')
    .map((line) => {
      const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
      if (sign !== undefined && fence === '') fence = sign
      else if (sign?.startsWith(fence) === true && fence !== '') fence = ''
      if (fence !== '' || !/^(?:import|export)\b[ \t]/.test(line)) return line
      return `&#${line.charCodeAt(0)};${line.slice(1)}`
    })
    .join('\n')
}
