import type { ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, numberProp, textProp } from './content-writer.ts'

/** Writes a link to a repository. Its stars and forks are unknown at build time. */
export function writeRepository(writer: ContentWriter, node: ComponentNode): void {
  const written = textProp(node.props, 'repo') ?? ''
  const name = written.replace(/^https?:\/\/(?:www\.)?github\.com\//, '').replace(/\/$/, '')
  const url = /^[\w.-]+\/[\w.-]+$/.test(name) ? `https://github.com/${name}` : written
  const flat = textProp(node.props, 'variant') === 'flat' ? ' oct-flat' : ''
  const own = textProp(node.props, 'className')
  writer.notes.useClasses(own ?? '')
  const classes = own === undefined ? '' : ` ${escapeHtml(own)}`
  writer.put(`<p class="oct-repository${flat}${classes}"><a class="oct-repository-link"`)
  if (url !== '') writer.putHref(url)
  writer.put('>')
  writer.putIcon('github', { type: 'brands' })
  const [owner = '', ...rest] = name.split('/')
  writer.put(
    rest.length === 0
      ? escapeHtml(owner)
      : `<span>${escapeHtml(owner)}/<strong>${escapeHtml(rest.join('/'))}</strong></span>`,
  )
  writer.put('</a></p>')
  writer.nodes(node.children)
}

/** Writes a heading that could not be converted to a heading node. */
export function writeHeading(writer: ContentWriter, node: ComponentNode): void {
  const level = Math.min(6, Math.max(1, Math.round(numberProp(node.props, 'level') ?? 2)))
  const id = textProp(node.props, 'id')
  writer.put(`<h${level}${id === undefined ? '' : writer.idAttribute(writer.uniqueId(id))}>`)
  writer.nodes(node.children)
  writer.put(`</h${level}>`)
}
