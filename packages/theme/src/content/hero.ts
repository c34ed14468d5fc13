import type { ComponentNode, PageNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'
import { drawHeroArt, isHeroArt } from './hero-art.ts'

/**
 * Writes the top of a home page: title, text, search, links and a background that the page draws
 * itself. Children other than links are shown next to the text.
 */
export function writeHero(writer: ContentWriter, node: ComponentNode): void {
  const { props, children } = node
  const art = textProp(props, 'art') ?? 'leaves'
  const isCentered = textProp(props, 'align') === 'center'
  const actions = children.filter(isAction)
  const beside = children.filter((child) => !isAction(child) && !isBlank(child))
  writer.put(`<section class="oct-hero${isCentered ? ' oct-hero-center' : ''}">`)
  const seed = textProp(props, 'seed') ?? textProp(props, 'title') ?? ''
  if (isHeroArt(art)) writer.put(drawHeroArt(art, seed))
  // A page has one heading of the first level.
  const tag = writer.isFirst('hero') ? 'h1' : 'h2'
  writer.put(`<div class="oct-hero-in"><div class="oct-hero-text"><${tag} class="oct-hero-title">`)
  writer.putProp(node, 'title')
  writer.put(`</${tag}>`)
  if (props.text !== undefined || node.slots?.text !== undefined) {
    writer.put('<p>')
    writer.putMarkdownProp(node, 'text')
    writer.put('</p>')
  }
  if (props.search !== false) putSearch(writer, textProp(props, 'search'))
  if (actions.length > 0) {
    writer.put('<p class="oct-hero-actions">')
    writer.nodes(actions)
    writer.put('</p>')
  }
  writer.put('</div>')
  if (beside.length > 0) {
    writer.put('<div class="oct-hero-beside">')
    writer.nodes(beside)
    writer.put('</div>')
  }
  writer.put('</div></section>')
}

/** Writes a link of a hero, which looks like a button. */
export function writeHeroAction(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<a class="oct-hero-action"')
  writer.putHref(textProp(node.props, 'href') ?? '')
  writer.put('>')
  writer.putIconOf(node)
  writer.nodes(node.children)
  writer.put('</a>')
}

/** The button opens the search of the header, so it needs a script and is hidden without one. */
function putSearch(writer: ContentWriter, prompt: string | undefined): void {
  const label = escapeHtml(prompt ?? writer.text.search)
  writer.put(
    `<button class="oct-hero-search" type="button" data-oct="find" aria-haspopup="dialog" hidden><span>${label}</span><kbd>Ctrl K</kbd></button>`,
  )
}

function isAction(node: PageNode): boolean {
  return typeof node !== 'string' && node.kind === 'component' && node.name === 'Hero.Action'
}

function isBlank(node: PageNode): boolean {
  return typeof node === 'string' && node.trim() === ''
}
