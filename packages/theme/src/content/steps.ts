import type { ComponentNode, PageNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, flagProp, numberProp, textProp } from './content-writer.ts'
import { hasIcon } from './has-icon.ts'

export function writeSteps(writer: ContentWriter, node: ComponentNode): void {
  const steps = node.children.filter(isStep)
  // The list may only contain steps, so other content is written before it.
  writer.nodes(node.children.filter((child) => !isStep(child)))
  if (steps.length === 0) return
  writer.put('<ol class="oct-steps">')
  const size = textProp(node.props, 'titleSize')
  let number: number | undefined
  for (const step of steps) {
    const written = numberProp(step.props, 'stepNumber')
    // Browsers would number differently after an explicit number, so every number is written.
    if (Number.isSafeInteger(written)) number = written
    else if (number !== undefined) number += 1
    putStep(writer, step, { size, number })
  }
  writer.put('</ol>')
}

function isStep(node: PageNode): node is ComponentNode {
  return typeof node !== 'string' && node.kind === 'component' && node.name === 'Step'
}

/** Writes a step outside of `Steps` as a list of one. */
export function writeStep(writer: ContentWriter, node: ComponentNode): void {
  writer.put('<ol class="oct-steps">')
  const number = numberProp(node.props, 'stepNumber')
  putStep(writer, node, { size: undefined, number })
  writer.put('</ol>')
}

type StepLook = { readonly size: string | undefined; readonly number: number | undefined }

function putStep(writer: ContentWriter, node: ComponentNode, { size, number }: StepLook): void {
  const value = Number.isSafeInteger(number) ? ` value="${number}"` : ''
  writer.put(`<li class="oct-step"${value}>`)
  if (hasIcon(node)) {
    writer.put('<span class="oct-step-mark" aria-hidden="true">')
    writer.putIconOf(node)
    writer.put('</span>')
  }
  if (node.props.title !== undefined || node.slots?.title !== undefined) {
    putTitle(writer, node, size)
  }
  if (node.props.description !== undefined) {
    writer.put('<p>')
    writer.putProp(node, 'description')
    writer.put('</p>')
  }
  writer.nodes(node.children)
  writer.put('</li>')
}

function putTitle(writer: ContentWriter, node: ComponentNode, size: string | undefined): void {
  const { props } = node
  const written = textProp(props, 'titleSize') ?? size ?? 'p'
  const tag = /^h[2-4]$/.test(written) ? written : 'p'
  const id = writer.uniqueId(textProp(props, 'id') ?? slug(textProp(props, 'title') ?? ''))
  const link = escapeHtml(id)
  const hasAnchor = !flagProp(props, 'noAnchor')
  if (hasAnchor) {
    const level = tag === 'p' ? 3 : Number(tag.slice(1))
    writer.notes.listTitle(node, { level, id, text: textProp(props, 'title') ?? '' })
  }
  writer.put(`<${tag} class="oct-step-title"${writer.idAttribute(id)}>`)
  writer.putProp(node, 'title')
  if (hasAnchor) {
    writer.put(`<a class="oct-anchor" href="#${link}" aria-hidden="true" tabindex="-1"></a>`)
  }
  writer.put(`</${tag}>`)
}
