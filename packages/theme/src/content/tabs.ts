/**
 * Tabs that need no script: each consists of a radio button, a label and a panel, and the
 * stylesheet shows the panel of the selected tab. Without styles, they read as titles with their
 * texts. browser/tabs.ts turns them into accessible tabs.
 */
import type { ComponentNode, PageNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'

export function writeTabs(writer: ContentWriter, node: ComponentNode): void {
  const tabs = node.children.filter((child) => isTab(child))
  const chosen = numberProp(node.props, 'defaultTabIndex') ?? 0
  const first = chosen >= 0 && chosen < tabs.length ? chosen : 0
  const isShared = node.props.sync !== false && node.props.sync !== 'false'
  const border = node.props.borderBottom === true ? 'oct-tabs-bordered' : ''
  // Samples that follow the tabs of a request body show no tabs of their own.
  const group = beginTabs(writer, node.props.isFollowing === true ? 'oct-following' : border)
  for (const [index, tab] of tabs.entries()) {
    const title = titleOf(tab)
    const id = writer.uniqueId(textProp(tab.props, 'id') ?? slug(title ?? ''))
    const key = isShared ? title : undefined
    beginTab(writer, { group, index, isChosen: index === first, title: key })
    writer.putIconOf(tab)
    putTitle(writer, tab, index)
    writer.put(`</label><div class="oct-tab-panel"${writer.idAttribute(id)}>`)
    writer.nodes(tab.children)
    endTab(writer)
  }
  endTabs(writer)
  // Keeps content that an author put between the tabs.
  writer.nodes(node.children.filter((child) => !isTab(child)))
}

function isTab(node: PageNode): node is ComponentNode {
  return (
    typeof node !== 'string' &&
    node.kind === 'component' &&
    (node.name === 'Tab' || node.name === 'Tabs.Tab')
  )
}

/** Writes a tab outside of `Tabs` as a titled section. */
export function writeTab(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<section class="oct-tab-alone"><p class="oct-tab-title">')
  putTitle(writer, node, 0)
  writer.put('</p>')
  writer.nodes(node.children)
  writer.put('</section>')
}

const TITLE_PROPS = ['title', 'label', 'value']

function titleOf({ props }: ComponentNode): string | undefined {
  return TITLE_PROPS.map((name) => textProp(props, name)).find((title) => title !== undefined)
}

function putTitle(writer: ContentWriter, tab: ComponentNode, index: number): void {
  const isNamed = TITLE_PROPS.some((name) => writer.putProp(tab, name))
  if (!isNamed) writer.put(`${index + 1}`)
}

/** Opens a tab group and returns the name of its radio buttons. */
export function beginTabs(writer: ContentWriter, classes: string, label?: string): string {
  const name = label === undefined ? '' : ` aria-label="${escapeHtml(label)}"`
  writer.put(`<div class="oct-tabs${classes === '' ? '' : ` ${classes}`}"${name}>`)
  return `tabs-${writer.nextNumber()}`
}

type TabStart = {
  readonly group: string
  readonly index: number
  readonly isChosen: boolean
  /**
   * Identifies a reader's choice, so that other groups select the same tab; undefined for tabs that
   * are not synchronized.
   */
  readonly title: string | undefined
}

/** Writes the radio button and opens its label. */
export function beginTab(writer: ContentWriter, start: TabStart): void {
  const { group, index, isChosen, title = '' } = start
  const id = writer.uniqueId(`${group}-${index + 1}`)
  const checked = isChosen ? ' checked' : ''
  writer.put(
    `<input type="radio" name="${group}"${writer.idAttribute(id)} value="${escapeHtml(title)}"${checked}>`,
  )
  writer.put(`<label for="${id}">`)
}

export function endTab(writer: ContentWriter): void {
  writer.put('</div>')
}

export function endTabs(writer: ContentWriter): void {
  writer.put('</div>')
}
