import type { ComponentNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, flagProp, textProp } from './content-writer.ts'

/** Files and folders, written as components or as a Markdown list. */
export function writeTree(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<div class="oct-tree">')
  putEntries(writer, node.children)
  writer.put('</div>')
}

/** Neighbouring entries are one list; anything else stands between lists. */
function putEntries(writer: ContentWriter, children: readonly PageNode[]): void {
  let isOpen = false
  for (const child of children) {
    if (typeof child === 'string' && child.trim() === '') continue
    if (isEntry(child) !== isOpen) {
      writer.put(isOpen ? '</ul>' : '<ul>')
      isOpen = !isOpen
    }
    writer.nodes([child])
  }
  if (isOpen) writer.put('</ul>')
}

function isEntry(node: PageNode): boolean {
  return (
    typeof node !== 'string' && node.kind === 'component' && /\.(?:Folder|File)$/.test(node.name)
  )
}

export function writeFolder(writer: ContentWriter, node: ComponentNode): void {
  const name = nameOf(node, '/')
  if (node.children.length === 0) {
    writer.put(`<li class="oct-folder">${name}</li>`)
    return
  }
  const open = flagProp(node.props, 'defaultOpen') || node.props.openable === false ? ' open' : ''
  writer.put(`<li class="oct-folder"><details${open}><summary>${name}</summary>`)
  putEntries(writer, node.children)
  writer.put('</details></li>')
}

export function writeFile(writer: ContentWriter, node: ComponentNode): void {
  writer.put(`<li class="oct-file">${nameOf(node, '')}`)
  writer.nodes(node.children)
  writer.put('</li>')
}

function nameOf(node: ComponentNode, ending: string): string {
  const name = escapeHtml((textProp(node.props, 'name') ?? '') + ending)
  return flagProp(node.props, 'highlight') ? `<mark>${name}</mark>` : name
}
