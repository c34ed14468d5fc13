import type { CodeNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { ENGLISH } from '../words/interface-text.ts'
import { writeCode } from './code-block.ts'
import { COMPONENT_WRITERS } from './components.ts'
import { type ContentContext, ContentWriter } from './content-writer.ts'
import { writeMath } from './math.ts'
import { isMermaid, writeMermaid } from './mermaid.ts'
import { ISLAND_PARTS, MATH_PARTS } from './page-notes.ts'
import { writeElement } from './write-element.ts'

/**
 * Renders a page tree to HTML in one pass. No content is lost: unknown components show their
 * children.
 */
export function renderContent(nodes: readonly PageNode[], context: ContentContext): string {
  const writer = new ContentWriter({ nodes, context, text: context.text ?? ENGLISH, writeNodes })
  writeNodes(writer, nodes)
  return writer.html
}

/** Returns the languages of all code on a page, for the highlighter to load. */
export function codeLanguages(nodes: readonly PageNode[]): Set<string> {
  return new Set(codeBlocks(nodes).map(({ language }) => language))
}

/** A code block to highlight: it has a language and is not a diagram. */
type CodeBlock = CodeNode & { readonly language: string }

export function codeBlocks(
  nodes: readonly PageNode[],
  found: CodeBlock[] = [],
): readonly CodeBlock[] {
  for (const node of nodes) {
    if (typeof node === 'string' || node.kind === 'math') continue
    if (node.kind === 'code') {
      if (hasLanguage(node) && !isMermaid(node)) found.push(node)
      continue
    }
    codeBlocks(node.children, found)
    if ('slots' in node && node.slots !== undefined)
      for (const slot of Object.values(node.slots)) codeBlocks(slot, found)
  }
  return found
}

/** Checks whether a page has diagrams. */
export function hasDiagrams(nodes: readonly PageNode[]): boolean {
  return nodes.some((node) => {
    if (typeof node === 'string' || node.kind === 'math') return false
    if (node.kind === 'code') return isMermaid(node)
    if (node.kind === 'component' && node.name === 'Mermaid') return true
    const slots = 'slots' in node ? Object.values(node.slots ?? {}) : []
    return hasDiagrams(node.children) || slots.some(hasDiagrams)
  })
}

function hasLanguage(node: CodeNode): node is CodeBlock {
  return node.language !== undefined
}

function writeNodes(writer: ContentWriter, nodes: readonly PageNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') writer.putText(node)
    else writeNode(writer, node)
  }
}

function writeNode(writer: ContentWriter, node: Exclude<PageNode, string>): void {
  switch (node.kind) {
    case 'element':
      writeElement(writer, node)
      return
    case 'heading':
      writer.notes.passHeading(node.id)
      writer.put(`<h${node.level}${writer.idAttribute(node.id)}>`)
      writeNodes(writer, node.children)
      writer.put(
        `<a class="oct-anchor" href="#${escapeHtml(node.id)}" aria-hidden="true" tabindex="-1"></a></h${node.level}>`,
      )
      return
    case 'code':
      if (isMermaid(node)) writeMermaid(writer, node)
      else writeCode(writer, node)
      return
    case 'math':
      writer.notes.useParts(MATH_PARTS)
      writeMath(writer, node)
      return
    case 'component': {
      writer.notes.useComponent(node.name)
      const write = COMPONENT_WRITERS.get(node.name)
      if (write === undefined) writeNodes(writer, node.children)
      else write(writer, node)
      return
    }
    case 'island': {
      const isAttached = node.code?.kind === 'handlers'
      // An island's code may use any of our components.
      if (!isAttached) writer.notes.useParts(ISLAND_PARTS)
      const props = escapeHtml(JSON.stringify(node.props))
      const module = writer.islandModule?.(node.source.file)
      const address = module === undefined ? '' : ` data-module="${escapeHtml(module)}"`
      const name = escapeHtml(node.source.name)
      const attach = isAttached ? ' data-attach style="display:contents"' : ''
      writer.put(`<octavo-island${address} data-name="${name}" data-props="${props}"${attach}>`)
      writer.icons.apart(() => {
        writeNodes(writer, node.children)
        for (const [slot, nodes] of Object.entries(node.slots ?? {})) {
          writer.put(`<template data-slot="${escapeHtml(slot)}">`)
          writeNodes(writer, nodes)
          writer.put('</template>')
        }
      })
      writer.put('</octavo-island>')
    }
  }
}
