/**
 * What every part of the content renderer writes to: one growing string, and what the page needs
 * to know about itself while it is written. Components get the writer and their node and append.
 */
import type { ComponentNode, Data, PageNode, Props } from '@octavo/content'
import type { Highlight } from '../highlight/create-highlighter.ts'
import type { IconLibrary } from '../icons/icon-library.ts'
import { type IconLook, PageIcons } from '../icons/page-icons.ts'
import type { IconHint } from '../icons/parse-icon-name.ts'
import { escapeHtml } from '../markup/html.ts'
import { renderInlineMarkdown } from '../markup/inline-markdown.ts'
import { isExternal, isSafeAddress, isSafeImage } from '../markup/safe-address.ts'
import { withCode } from '../markup/with-code.ts'
import type { RenderMath } from '../math/load-math.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import { PageNotes } from './page-notes.ts'

export type ImageSize = {
  readonly width: number
  readonly height: number
  /** Only the shape counts: a drawing without a size of its own is as wide as its place. */
  readonly isShape?: true
}

export type ContentContext = {
  readonly highlight: Highlight
  /** Turns a link as written into the address on this site. */
  readonly resolveLink?: (url: string) => string
  /** The same for images and other files. */
  readonly resolveAsset?: (url: string) => string
  /** How large an image of the site is, by the address that `resolveAsset` gave. */
  readonly imageSize?: (address: string) => ImageSize | undefined
  /** Where the code of a file's islands is; without it they stay as they are first shown. */
  readonly islandModule?: (file: string) => string
  /** Sets formulas; without it they are shown as their source. */
  readonly math?: RenderMath | undefined
  /** Where icons are looked up; without it names show nothing. */
  readonly icons?: IconLibrary
  /** Told of names that no set has. */
  readonly onMissingIcon?: (name: string, hint: IconHint) => void
  /** Words of the interface, in the language of the page; English by default. */
  readonly text?: InterfaceText | undefined
  /** Filled in while the page is written. */
  readonly notes?: PageNotes
}

export class ContentWriter {
  html = ''
  /** Inside a link nothing else may be clicked. */
  isLinked = false
  /** Inside a frame, whose films run by themselves. */
  isFramed = false
  readonly math: RenderMath | undefined
  readonly highlight: Highlight
  readonly text: InterfaceText
  readonly islandModule: ContentContext['islandModule']
  readonly icons: PageIcons
  readonly notes: PageNotes
  readonly #context: ContentContext
  /** The whole page, for parts that must know of one another. */
  readonly page: readonly PageNode[]
  readonly #writeNodes: (writer: ContentWriter, nodes: readonly PageNode[]) => void
  #ids: Set<string> | undefined
  #count = 0
  #seen: Set<string> | undefined

  constructor(page: {
    readonly nodes: readonly PageNode[]
    readonly context: ContentContext
    readonly text: InterfaceText
    readonly writeNodes: (writer: ContentWriter, nodes: readonly PageNode[]) => void
  }) {
    this.highlight = page.context.highlight
    this.text = page.text
    this.islandModule = page.context.islandModule
    this.notes = page.context.notes ?? new PageNotes()
    this.#context = page.context
    this.page = page.nodes
    this.math = page.context.math
    const { icons: library, onMissingIcon: onMissing } = page.context
    this.icons = new PageIcons({ library, onMissing, assetUrl: (url) => this.imageUrl(url) })
    this.#writeNodes = page.writeNodes
  }

  /** Appends markup. */
  put(markup: string): void {
    this.html += markup
  }

  putText(text: string): void {
    this.html += escapeHtml(text)
  }

  nodes(nodes: readonly PageNode[]): void {
    this.#writeNodes(this, nodes)
  }

  /** The title of a component as a paragraph, if it has one. */
  putTitle(node: ComponentNode, className: string): void {
    if (node.props.title === undefined && node.slots?.title === undefined) return
    this.put(`<p class="${className}">`)
    this.putProp(node, 'title')
    this.put('</p>')
  }

  /** What a prop says: markup if it was written as markup, else its text, with `code` in it. */
  putProp(node: ComponentNode, name: string): boolean {
    const slot = node.slots?.[name]
    if (slot !== undefined) {
      this.nodes(slot)
      return true
    }
    const text = textOf(node.props[name])
    if (text === undefined) return false
    this.put(withCode(text))
    return true
  }

  /** The same for props that may hold a little Markdown. */
  putMarkdownProp(node: ComponentNode, name: string): void {
    const text = textProp(node.props, name)
    if (node.slots?.[name] === undefined && text !== undefined) {
      this.put(renderInlineMarkdown(text).toString())
    } else this.putProp(node, name)
  }

  /** ` href="…"` and what belongs to it; nothing for an address that must not be followed. */
  putHref(url: string): void {
    if (!isSafeAddress(url)) return
    const resolved = this.#context.resolveLink?.(url) ?? url
    this.html += ` href="${escapeHtml(resolved)}"${isExternal(resolved) ? ' rel="noopener"' : ''}`
  }

  /** The address of an image or another file, or nothing if it must not be loaded. */
  assetUrl(url: string): string | undefined {
    return isSafeImage(url) ? (this.#context.resolveAsset?.(url) ?? url) : undefined
  }

  /** The same for an image that is about to be written. */
  imageUrl(url: string): string | undefined {
    const address = this.assetUrl(url)
    if (address !== undefined) this.notes.addLoad('images', address)
    return address
  }

  /** Of an image of the site, by the address that `assetUrl` gave. */
  imageSize(address: string): ImageSize | undefined {
    return this.#context.imageSize?.(address)
  }

  /** An icon by name, file, drawing or emoji; nothing where there is none. */
  putIcon(icon: Data | undefined, look?: IconLook): void {
    if (icon !== undefined) this.html += this.icons.render(icon, look)
  }

  /** The icon of a component, with all that its props say of it. */
  putIconOf(node: ComponentNode): void {
    const { icon, iconType, iconLibrary } = node.props
    if (icon !== undefined) {
      const color = node.name === 'Card' ? textOf(node.props.color) : undefined
      this.putIcon(icon, { type: textOf(iconType), library: textOf(iconLibrary), color })
    } else if (node.slots?.icon !== undefined) {
      this.put('<span class="oct-icon-slot" aria-hidden="true">')
      this.nodes(node.slots.icon)
      this.put('</span>')
    }
  }

  /** ` id="…"`, noted as something that a link can lead to. */
  idAttribute(id: string): string {
    this.notes.addId(id)
    return ` id="${escapeHtml(id)}"`
  }

  /** A name that no other element of the page has. */
  uniqueId(wanted: string): string {
    this.#ids ??= collectIds(this.page, new Set())
    const base = wanted === '' ? 'part' : wanted
    let id = base
    for (let number = 2; this.#ids.has(id); number += 1) id = `${base}-${number}`
    this.#ids.add(id)
    return id
  }

  /** True when asked about a thing for the first time on this page. */
  isFirst(thing: string): boolean {
    this.#seen ??= new Set()
    if (this.#seen.has(thing)) return false
    this.#seen.add(thing)
    return true
  }

  /** A number of its own for each group of controls. */
  nextNumber(): number {
    this.#count += 1
    return this.#count
  }
}

/** Ids that headings and the author's own elements have; components must not take them. */
function collectIds(nodes: readonly PageNode[], ids: Set<string>): Set<string> {
  for (const node of nodes) {
    if (typeof node === 'string' || node.kind === 'code' || node.kind === 'math') continue
    if (node.kind === 'heading') ids.add(node.id)
    if (node.kind === 'element' && typeof node.attributes?.id === 'string') {
      ids.add(node.attributes.id)
    }
    collectIds(node.children, ids)
  }
  return ids
}

/** A prop as text, if it is text or a number. */
export function textProp(props: Props, name: string): string | undefined {
  return textOf(props[name])
}

function textOf(value: Data | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

/** True for `required`, `required={true}` and `required="true"`. */
export function flagProp(props: Props, name: string): boolean {
  const value = props[name]
  return value === true || value === 'true' || value === ''
}

/** A number, also one that was written as text. */
export function numberProp(props: Props, name: string): number | undefined {
  const value = props[name]
  if (typeof value === 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

/** A list of texts; a single text counts as one. */
export function listProp(props: Props, name: string): readonly string[] {
  const value = props[name]
  if (Array.isArray(value)) return value.map(textOf).filter((text) => text !== undefined)
  const text = textOf(value)
  return text === undefined ? [] : [text]
}
