/**
 * The output of the content renderer: a growing string, and the state of the page while it is
 * written. Each component function receives the writer and its node.
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
  /** True if only the aspect ratio is known: the image is then as wide as its container. */
  readonly isShape?: true
}

export type ContentContext = {
  readonly highlight: Highlight
  /** Resolves a link to its URL on this site. */
  readonly resolveLink?: (url: string) => string
  /** Resolves the URL of an image or another file. */
  readonly resolveAsset?: (url: string) => string
  /** The size of one of the site's images, by its URL from `resolveAsset`. */
  readonly imageSize?: (address: string) => ImageSize | undefined
  /** The module URL for a file's islands; without it, islands stay static. */
  readonly islandModule?: (file: string) => string
  /** Renders formulas; without it, their source is shown. */
  readonly math?: RenderMath | undefined
  /** Draws a Mermaid diagram as SVG; undefined if the script on the page has to draw it. */
  readonly draw?: ((source: string) => string | undefined) | undefined
  /** The icon library; without it, icon names show no icon. */
  readonly icons?: IconLibrary
  /** Called for icon names that are in no icon set. */
  readonly onMissingIcon?: (name: string, hint: IconHint) => void
  /** The interface text in the page's language; English by default. */
  readonly text?: InterfaceText | undefined
  /** Collects facts about the page while it is written. */
  readonly notes?: PageNotes
}

export class ContentWriter {
  html = ''
  /** True inside a link, which may not contain other interactive elements. */
  isLinked = false
  /** True inside a `Frame` component, whose videos loop. */
  isFramed = false
  readonly math: RenderMath | undefined
  readonly draw: ContentContext['draw']
  readonly highlight: Highlight
  readonly text: InterfaceText
  readonly islandModule: ContentContext['islandModule']
  readonly icons: PageIcons
  readonly notes: PageNotes
  readonly #context: ContentContext
  /** The whole page, for components that depend on each other. */
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
    this.draw = page.context.draw
    const { icons: library, onMissingIcon: onMissing } = page.context
    this.icons = new PageIcons({ library, onMissing, assetUrl: (url) => this.imageUrl(url) })
    this.#writeNodes = page.writeNodes
  }

  put(markup: string): void {
    this.html += markup
  }

  putText(text: string): void {
    this.html += escapeHtml(text)
  }

  nodes(nodes: readonly PageNode[]): void {
    this.#writeNodes(this, nodes)
  }

  /** Writes the title of a component as a paragraph, if it has one. */
  putTitle(node: ComponentNode, className: string): void {
    if (node.props.title === undefined && node.slots?.title === undefined) return
    this.put(`<p class="${className}">`)
    this.putProp(node, 'title')
    this.put('</p>')
  }

  /** Writes a prop: as markup if it was written as markup, else as text with inline code. */
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

  /** Writes a prop that may contain simple Markdown. */
  putMarkdownProp(node: ComponentNode, name: string): void {
    const text = textProp(node.props, name)
    if (node.slots?.[name] === undefined && text !== undefined) {
      this.put(renderInlineMarkdown(text).toString())
    } else this.putProp(node, name)
  }

  /** Writes ` href="…"` and `rel`; writes nothing if the URL is unsafe. */
  putHref(url: string): void {
    if (!isSafeAddress(url)) return
    const resolved = this.#context.resolveLink?.(url) ?? url
    this.html += ` href="${escapeHtml(resolved)}"${isExternal(resolved) ? ' rel="noopener"' : ''}`
  }

  /** Returns the URL of an image or another file; undefined if it is unsafe. */
  assetUrl(url: string): string | undefined {
    return isSafeImage(url) ? (this.#context.resolveAsset?.(url) ?? url) : undefined
  }

  /** Returns the URL of an image that is about to be written, and records it. */
  imageUrl(url: string): string | undefined {
    const address = this.assetUrl(url)
    if (address !== undefined) this.notes.addLoad('images', address)
    return address
  }

  /** Returns the size of one of the site's images, by its URL from `assetUrl`. */
  imageSize(address: string): ImageSize | undefined {
    return this.#context.imageSize?.(address)
  }

  /** Writes an icon, which is a name, file, drawing or emoji; writes nothing if it is undefined. */
  putIcon(icon: Data | undefined, look?: IconLook): void {
    if (icon !== undefined) this.html += this.icons.render(icon, look)
  }

  /** Writes a component's icon with the options in its props. */
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

  /** Returns ` id="…"` and records the ID as a link target. */
  idAttribute(id: string): string {
    this.notes.addId(id)
    return ` id="${escapeHtml(id)}"`
  }

  /** Returns an ID that is unique on the page. */
  uniqueId(wanted: string): string {
    this.#ids ??= collectIds(this.page, new Set())
    const base = wanted === '' ? 'part' : wanted
    let id = base
    for (let number = 2; this.#ids.has(id); number += 1) id = `${base}-${number}`
    this.#ids.add(id)
    return id
  }

  /** Returns true for the first call with a given key on this page. */
  isFirst(thing: string): boolean {
    this.#seen ??= new Set()
    if (this.#seen.has(thing)) return false
    this.#seen.add(thing)
    return true
  }

  /** Returns a unique number for each group of controls. */
  nextNumber(): number {
    this.#count += 1
    return this.#count
  }
}

/** Collects the IDs of headings and authors' elements, which components must not use again. */
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

/** Returns a prop as text if it is a string or a number. */
export function textProp(props: Props, name: string): string | undefined {
  return textOf(props[name])
}

function textOf(value: Data | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

/** Returns true for `required`, `required={true}` and `required="true"`. */
export function flagProp(props: Props, name: string): boolean {
  const value = props[name]
  return value === true || value === 'true' || value === ''
}

/** Returns a prop as a number, even if it was written as text. */
export function numberProp(props: Props, name: string): number | undefined {
  const value = props[name]
  if (typeof value === 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

/** Returns a list of strings; a single string counts as a list of one. */
export function listProp(props: Props, name: string): readonly string[] {
  const value = props[name]
  if (Array.isArray(value)) return value.map(textOf).filter((text) => text !== undefined)
  const text = textOf(value)
  return text === undefined ? [] : [text]
}
