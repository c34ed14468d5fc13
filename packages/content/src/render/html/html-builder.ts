import { VOID_TAGS } from '../../allowed/allowed-html.ts'
import { newObject } from '../../interpreter/value.ts'
import type { PageState, Spot } from '../../page-state.ts'
import { CONTENT_LIMITS } from '../../tree/content-limits.ts'
import type { PageNode } from '../../tree/page-tree.ts'
import { renderElement } from '../render-element.ts'
import { type HtmlToken, readHtmlTokens } from './html-tokens.ts'

type Open = {
  readonly token: HtmlToken & { kind: 'open' }
  readonly children: PageNode[]
  readonly spot: Spot
}

/**
 * Builds elements from pieces of HTML: in Markdown, `<b>` and `</b>` are two nodes with text
 * between them. Unclosed tags end with the enclosing block.
 */
export class HtmlBuilder {
  readonly #page: PageState
  readonly #root: PageNode[] = []
  readonly #open: Open[] = []

  constructor(page: PageState) {
    this.#page = page
  }

  /** Adds a piece of HTML that starts at a place in the source. */
  addHtml(html: string, spot: Spot): void {
    // HTML in a prop does not start at this place, and neither does HTML in a block quote, whose
    // markers the parser strips.
    const isWritten = spot.source.text.startsWith(html, spot.offset)
    for (const token of readHtmlTokens(html)) {
      if (token.kind === 'text') this.add(token.text)
      else if (token.kind === 'close') this.#close(token.tag)
      else this.#openTag(token, isWritten ? { ...spot, offset: spot.offset + token.offset } : spot)
    }
  }

  add(node: PageNode): void {
    const children = this.#open.at(-1)?.children ?? this.#root
    children.push(node)
  }

  /** Closes all tags and returns the nodes. */
  finish(): readonly PageNode[] {
    while (this.#open.length > 0) this.#pop()
    return this.#root
  }

  #openTag(token: HtmlToken & { kind: 'open' }, spot: Spot): void {
    const isTooDeep = this.#open.length >= CONTENT_LIMITS.treeDepthMax / 2
    this.#open.push({ token, children: [], spot })
    if (token.isClosed || VOID_TAGS.has(token.tag.toLowerCase()) || isTooDeep) this.#pop()
  }

  /** Closes the innermost open tag of this name, and any open tags inside it. */
  #close(tag: string): void {
    const name = tag.toLowerCase()
    const index = this.#open.findLastIndex(({ token }) => token.tag.toLowerCase() === name)
    if (index < 0) return
    while (this.#open.length > index) this.#pop()
  }

  #pop(): void {
    const closed = this.#open.pop()
    if (closed === undefined) return
    const { token, children, spot } = closed
    const props = newObject(token.attributes)
    for (const node of renderElement(this.#page, { tag: token.tag, props, children, spot }))
      this.add(node)
  }
}
