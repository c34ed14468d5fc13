/** Responses of an operation: one block with a tab for each status. Only used on API pages. */
import type { ComponentNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { beginTab, beginTabs, endTab, endTabs } from './tabs.ts'

export function writeResponses(writer: ContentWriter, node: ComponentNode): void {
  const responses = node.children.filter(isResponse)
  const chosen = responses.findIndex(({ props }) => props.main === true)
  const group = beginTabs(writer, 'oct-responses')
  for (const [index, response] of responses.entries()) {
    const title = textProp(response.props, 'status') ?? ''
    beginTab(writer, { group, index, isChosen: index === Math.max(0, chosen), title })
    writer.put(`${renderStatus(title)}</label><div class="oct-tab-panel">`)
    writer.nodes(response.children)
    endTab(writer)
  }
  endTabs(writer)
  writer.nodes(node.children.filter((child) => !isResponse(child)))
}

function isResponse(node: PageNode): node is ComponentNode {
  return typeof node !== 'string' && node.kind === 'component' && node.name === 'Response'
}

const STATUS = /^([1-5])[\dX]{2}(?= |$)/i

/**
 * Colors a status by its class: success, redirect, client error, server error. The rest stays plain
 * text.
 */
export function renderStatus(title: string): string {
  const found = STATUS.exec(title)
  if (found === null) return escapeHtml(title)
  const [code, kind] = found
  return `<span class="oct-http oct-http-${kind}">${code}</span>${escapeHtml(title.slice(code.length))}`
}
