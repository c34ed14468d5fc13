/**
 * Tabs that need no script: each is a radio button, its label and its panel, and the stylesheet
 * shows the panel of the chosen one. Without styles they read as titles with their texts.
 */
import type { ComponentNode, PageNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'

export function writeTabs(writer: ContentWriter, node: ComponentNode): void {
  const tabs = node.children.filter((child) => isTab(child))
  const chosen = numberProp(node.props, 'defaultTabIndex') ?? 0
  const first = chosen >= 0 && chosen < tabs.length ? chosen : 0
  const group = beginTabs(writer, '')
  for (const [index, tab] of tabs.entries()) {
    beginTab(writer, { group, index, isChosen: index === first })
    writer.putIconOf(tab)
    putTitle(writer, tab, index)
    writer.put('</label>')
    const id = writer.uniqueId(
      textProp(tab.props, 'id') ?? slug(textProp(tab.props, 'title') ?? ''),
    )
    writer.put(`<div class="oct-tab-panel" id="${escapeHtml(id)}">`)
    writer.nodes(tab.children)
    endTab(writer)
  }
  endTabs(writer)
  // What an author put between the tabs is not lost.
  writer.nodes(node.children.filter((child) => !isTab(child)))
}

function isTab(node: PageNode): node is ComponentNode {
  return (
    typeof node !== 'string' &&
    node.kind === 'component' &&
    (node.name === 'Tab' || node.name === 'Tabs.Tab')
  )
}

/** A tab outside of tabs: a titled section. */
export function writeTab(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<section class="oct-tab-alone"><p class="oct-tab-title">')
  putTitle(writer, node, 0)
  writer.put('</p>')
  writer.nodes(node.children)
  writer.put('</section>')
}

function putTitle(writer: ContentWriter, tab: ComponentNode, index: number): void {
  const isNamed =
    writer.putProp(tab, 'title') || writer.putProp(tab, 'label') || writer.putProp(tab, 'value')
  if (!isNamed) writer.put(`${index + 1}`)
}

/** Opens a group of tabs and gives the name of its radio buttons. */
export function beginTabs(writer: ContentWriter, classes: string): string {
  writer.put(`<div class="oct-tabs${classes === '' ? '' : ` ${classes}`}">`)
  return `tabs-${writer.nextNumber()}`
}

type TabStart = { readonly group: string; readonly index: number; readonly isChosen: boolean }

/** Writes the radio button and opens its label. */
export function beginTab(writer: ContentWriter, { group, index, isChosen }: TabStart): void {
  const id = writer.uniqueId(`${group}-${index + 1}`)
  const checked = isChosen ? ' checked' : ''
  writer.put(`<input type="radio" name="${group}" id="${id}"${checked}><label for="${id}">`)
}

export function endTab(writer: ContentWriter): void {
  writer.put('</div>')
}

export function endTabs(writer: ContentWriter): void {
  writer.put('</div>')
}
