/** Renders an answer from the tree that `parseAnswer` returns, and from nothing else. */

import { type Block, type Inline, parseAnswer, type Site, safeLink } from '@octavo/theme/answers'
import { element, icon, iconButton } from './elements.ts'

export type Source = { readonly url: string; readonly title: string }

/** A section that matches a question, with an excerpt. */
export type Match = Source & { readonly text: string }

export type AnswerContext = {
  readonly site: Site
  readonly copyLabel: string
  readonly copy: (button: HTMLElement, text: string) => void
}

/** Shows an answer while it grows. Blocks that have not changed keep their elements. */
export class AnswerView {
  readonly root = element('div', { className: 'say' })
  readonly #place: AnswerContext
  #sources: readonly string[] = []

  constructor(place: AnswerContext) {
    this.#place = place
  }

  show(text: string, sources: readonly Source[]): void {
    const { site } = this.#place
    const writer = new AnswerWriter(this.#place, sources)
    const blocks = parseAnswer(text, site)
    const key = sources.map(({ url }) => url).join('\n')
    const shown = blocks.map(({ source }) => `${key}\n${source}`)
    for (const [index, { block }] of blocks.entries()) {
      if (this.#sources[index] === shown[index]) continue
      const made = writer.block(block)
      const old = this.root.children[index]
      if (old === undefined) this.root.append(made)
      else old.replaceWith(made)
    }
    while (this.root.children.length > blocks.length) this.root.lastElementChild?.remove()
    this.#sources = shown
  }
}

class AnswerWriter {
  readonly #place: AnswerContext
  readonly #sources: readonly Source[]

  constructor(place: AnswerContext, sources: readonly Source[]) {
    this.#place = place
    this.#sources = sources
  }

  block(block: Block): HTMLElement {
    switch (block.type) {
      case 'paragraph':
        return element('p', { dir: 'auto' }, ...this.#inline(block.children))
      case 'heading':
        return element('p', { className: 'title', dir: 'auto' }, ...this.#inline(block.children))
      case 'quote':
        return element('blockquote', {}, ...block.children.map((child) => this.block(child)))
      case 'code':
        return this.#code(block)
      case 'list':
        return this.#list(block)
      case 'table':
        return this.#table(block)
    }
  }

  #code({ label, text }: Extract<Block, { type: 'code' }>): HTMLElement {
    const { copy, copyLabel } = this.#place
    const button = iconButton(copyLabel, 'copy', (pressed) => copy(pressed, text))
    const head = element(
      'div',
      { className: 'code-head' },
      icon('code', 14),
      element('span', {}, label),
    )
    head.append(button)
    const pre = element('pre', { tabIndex: 0, dir: 'ltr' }, element('code', {}, text))
    return element('div', { className: 'code' }, head, pre)
  }

  #list({ start, items }: Extract<Block, { type: 'list' }>): HTMLElement {
    const rows = items.map((blocks) => {
      const [first, ...rest] = blocks
      const item = element('li', { dir: 'auto' })
      // The first paragraph of an item has no margins.
      if (first?.type === 'paragraph') item.append(...this.#inline(first.children))
      else if (first !== undefined) item.append(this.block(first))
      item.append(...rest.map((block) => this.block(block)))
      return item
    })
    return start === undefined ? element('ul', {}, ...rows) : element('ol', { start }, ...rows)
  }

  #table({ rows }: Extract<Block, { type: 'table' }>): HTMLElement {
    const lines = rows.map((cells, index) =>
      element(
        'tr',
        {},
        ...cells.map((cell) =>
          element(index === 0 ? 'th' : 'td', { dir: 'auto' }, ...this.#inline(cell)),
        ),
      ),
    )
    return element('div', { className: 'table', tabIndex: 0 }, element('table', {}, ...lines))
  }

  #inline(parts: readonly Inline[]): readonly Node[] {
    return parts.flatMap((part) => this.#part(part))
  }

  #part(part: Inline): readonly Node[] {
    switch (part.type) {
      case 'text':
        return [document.createTextNode(part.text)]
      case 'code':
        return [element('code', {}, part.text)]
      case 'break':
        return [element('br')]
      case 'strong':
        return [element('strong', {}, ...this.#inline(part.children))]
      case 'emphasis':
        return [element('em', {}, ...this.#inline(part.children))]
      case 'citation':
        return [citation(part.number, this.#sources, this.#place.site)]
      case 'link': {
        const { href, host } = part.link
        const link = pageLink(href, ...this.#inline(part.children))
        // The target host is always shown, because the label can claim a different one.
        return host === undefined ? [link] : [link, element('small', { dir: 'ltr' }, ` (${host})`)]
      }
    }
  }
}

/** Creates a link that sends no referrer to other sites. */
export function pageLink(href: string, ...children: readonly Node[]): HTMLAnchorElement {
  const link = element('a', { href }, ...children)
  return href.startsWith('/')
    ? link
    : Object.assign(link, { target: '_blank', rel: 'noopener noreferrer nofollow' })
}

/** Renders a citation as a link to its source. Until the sources are known, it is only a number. */
function citation(number: number, sources: readonly Source[], site: Site): Node {
  if (sources.length === 0) return element('span', { className: 'cite' }, String(number))
  const source = sources[number - 1]
  const link = source && safeLink(source.url, site)
  if (source === undefined || link === undefined) return document.createTextNode(`[${number}]`)
  const made = pageLink(link.href, document.createTextNode(String(number)))
  return Object.assign(made, { className: 'cite', ariaLabel: `${number}: ${source.title}` })
}
