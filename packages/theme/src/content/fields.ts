import type { ComponentNode, Data, Props } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, flagProp, listProp, textProp } from './content-writer.ts'

/**
 * Locations of a parameter. The prop that is named after the location contains the parameter's
 * name.
 */
const PLACES = ['path', 'query', 'body', 'header', 'cookie'] as const

/** Invisible, but separates words when text is extracted from the HTML. */
const GAP = '\n'

/** Writes a parameter or a response field: name, type and description. */
export function writeField(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  if (flagProp(props, 'hidden')) return
  const name = fieldName(props)
  const id = writer.uniqueId(textProp(props, 'id') ?? `param-${slug(name)}`)
  writer.put(`<div class="oct-field"${writer.idAttribute(id)}><div class="oct-field-head">`)
  for (const pill of listProp(props, 'pre')) {
    putPill(writer, pill)
    writer.put(GAP)
  }
  writer.put(`<a class="oct-field-name" href="#${escapeHtml(id)}">`)
  if (name === '') writer.putProp(node, 'name')
  else writer.put(`<code>${escapeHtml(name)}</code>`)
  writer.put('</a>')
  putFacts(writer, node)
  for (const pill of listProp(props, 'post')) {
    writer.put(GAP)
    putPill(writer, pill)
  }
  writer.put('</div><div class="oct-field-body">')
  if (props.description !== undefined || node.slots?.description !== undefined) {
    writer.put('<p>')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  writer.nodes(node.children)
  writer.put('</div></div>')
}

function fieldName(props: Props): string {
  const place = PLACES.find((key) => textProp(props, key) !== undefined)
  return textProp(props, 'name') ?? (place === undefined ? '' : (textProp(props, place) ?? ''))
}

function putFacts(writer: ContentWriter, node: ComponentNode): void {
  const { props } = node
  if (props.type !== undefined || node.slots?.type !== undefined) {
    writer.put(`${GAP}<span class="oct-field-type">`)
    writer.putProp(node, 'type')
    writer.put('</span>')
  }
  const place = PLACES.find((key) => textProp(props, key) !== undefined)
  if (place !== undefined) writer.put(`${GAP}<span class="oct-field-place">${place}</span>`)
  if (flagProp(props, 'required')) {
    writer.put(`${GAP}<span class="oct-field-required">${escapeHtml(writer.text.required)}</span>`)
  }
  if (flagProp(props, 'deprecated')) {
    writer.put(
      `${GAP}<span class="oct-field-deprecated">${escapeHtml(writer.text.deprecated)}</span>`,
    )
  }
  if (flagProp(props, 'nullable')) {
    writer.put(GAP)
    putPill(writer, writer.text.nullable)
  }
  putValue(writer, writer.text.defaultValue, props.default)
  putValue(writer, writer.text.example, props.placeholder)
}

function putValue(writer: ContentWriter, label: string, value: Data | undefined): void {
  if (value === undefined || value === null || value === '') return
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  writer.put(
    `${GAP}<span class="oct-field-value">${escapeHtml(label)} <code>${escapeHtml(written)}</code></span>`,
  )
}

function putPill(writer: ContentWriter, text: string): void {
  writer.put(`<span class="oct-pill">${escapeHtml(text)}</span>`)
}
