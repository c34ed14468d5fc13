import type { ComponentNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../html.ts'
import { type ContentWriter, flagProp, numberProp, textProp } from './content-writer.ts'

export function writeSteps(writer: ContentWriter, node: ComponentNode): void {
  const steps = node.children.filter(
    (child) => typeof child !== 'string' && child.kind === 'component' && child.name === 'Step',
  )
  // Only steps may stand in the list; anything else stands before it.
  writer.nodes(node.children.filter((child) => !steps.includes(child)))
  if (steps.length === 0) return
  writer.put('<ol class="oct-steps">')
  const size = textProp(node.props, 'titleSize')
  for (const step of steps) putStep(writer, step as ComponentNode, size)
  writer.put('</ol>')
}

/** A step outside of steps: a list of one. */
export function writeStep(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<ol class="oct-steps">')
  putStep(writer, node, undefined)
  writer.put('</ol>')
}

function putStep(writer: ContentWriter, node: ComponentNode, size: string | undefined): void {
  const { props } = node
  const number = numberProp(props, 'stepNumber')
  const value = Number.isSafeInteger(number) ? ` value="${number}"` : ''
  writer.put(`<li class="oct-step"${value}>`)
  if (props.title !== undefined || node.slots?.title !== undefined) {
    const written = textProp(props, 'titleSize') ?? size ?? 'p'
    const tag = /^h[2-4]$/.test(written) ? written : 'p'
    const id = writer.uniqueId(textProp(props, 'id') ?? slug(textProp(props, 'title') ?? ''))
    const link = escapeHtml(id)
    if (!flagProp(props, 'noAnchor')) {
      const level = tag === 'p' ? 3 : Number(tag.slice(1))
      writer.notes?.listTitle({ level, id, text: textProp(props, 'title') ?? '' })
    }
    writer.put(`<${tag} class="oct-step-title" id="${link}">`)
    writer.putIcon(props.icon)
    writer.putProp(node, 'title')
    if (!flagProp(props, 'noAnchor')) {
      writer.put(`<a class="oct-anchor" href="#${link}" aria-hidden="true" tabindex="-1"></a>`)
    }
    writer.put(`</${tag}>`)
  }
  if (props.description !== undefined) {
    writer.put('<p>')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  writer.nodes(node.children)
  writer.put('</li>')
}
