import type { ComponentNode, ElementNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'

/** Writes a tree of files and folders, from components or from a Markdown list. */
export function writeTree(writer: ContentWriter, node: ComponentNode): void {
  // The style sets the color of highlighted entries. `content` has already checked it against its
  // allowlist.
  const style = textProp(node.props, 'style')
  const look = style === undefined ? '' : ` style="${escapeHtml(style)}"`
  writer.put(`<div class="oct-tree"${look}>`)
  putEntries(writer, node.children)
  writer.put('</div>')
}

/** Adjacent entries form one list; other content comes between lists. */
function putEntries(writer: ContentWriter, children: readonly PageNode[]): void {
  let isOpen = false
  for (const child of children.flatMap(entriesOf)) {
    if (typeof child === 'string' && child.trim() === '') continue
    const isEntry = isComponentEntry(child) || isItem(child)
    if (isEntry !== isOpen) {
      writer.put(isOpen ? '</ul>' : '<ul>')
      isOpen = !isOpen
    }
    if (isItem(child)) putItem(writer, child)
    else writer.nodes([child])
  }
  if (isOpen) writer.put('</ul>')
}

function entriesOf(node: PageNode): readonly PageNode[] {
  return isElement(node, 'ul') ? node.children : [node]
}

function isElement(node: PageNode, tag: string): node is ElementNode {
  return typeof node !== 'string' && node.kind === 'element' && node.tag === tag
}

function isItem(node: PageNode): node is ElementNode {
  return isElement(node, 'li')
}

function isComponentEntry(node: PageNode): boolean {
  return (
    typeof node !== 'string' && node.kind === 'component' && /\.(?:Folder|File)$/.test(node.name)
  )
}

/** Writes a list item: a folder if it contains a list or its name ends with a slash. */
function putItem(writer: ContentWriter, { children }: ElementNode): void {
  const inner = children.filter((child) => isElement(child, 'ul'))
  const name = children.filter((child) => !isElement(child, 'ul'))
  const last = name.at(-1)
  const isFolder = inner.length > 0 || (typeof last === 'string' && last.trimEnd().endsWith('/'))
  writer.put(`<li class="oct-${isFolder ? 'folder' : 'file'}">`)
  if (inner.length > 0) writer.put('<details open><summary>')
  writer.put('<span class="oct-tree-name">')
  writer.nodes(name)
  writer.put('</span>')
  if (inner.length > 0) {
    writer.put('</summary>')
    putEntries(writer, inner)
    writer.put('</details>')
  }
  writer.put('</li>')
}

export function writeFolder(writer: ContentWriter, node: ComponentNode): void {
  const name = nameOf(node)
  if (node.children.length === 0) {
    writer.put(`<li class="oct-folder">${name}</li>`)
    return
  }
  // A folder that cannot be toggled is always open.
  if (node.props.openable === false || node.props.openable === 'false') {
    writer.put(`<li class="oct-folder">${name}`)
    putEntries(writer, node.children)
    writer.put('</li>')
    return
  }
  const open = flagProp(node.props, 'defaultOpen') ? ' open' : ''
  writer.put(`<li class="oct-folder"><details${open}><summary>${name}</summary>`)
  putEntries(writer, node.children)
  writer.put('</details></li>')
}

export function writeFile(writer: ContentWriter, node: ComponentNode): void {
  writer.put(`<li class="oct-file">${nameOf(node)}`)
  writer.nodes(node.children)
  writer.put('</li>')
}

function nameOf({ props }: ComponentNode): string {
  const name = escapeHtml(textProp(props, 'name') ?? '')
  const marked = flagProp(props, 'highlight') ? `<mark>${name}</mark>` : name
  return `<span class="oct-tree-name">${marked}</span>`
}
