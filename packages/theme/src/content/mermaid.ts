import type { CodeNode, ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'

const PLACEMENTS = new Set(['top-left', 'top-right', 'bottom-left', 'bottom-right'])

export function isMermaid({ language }: CodeNode): boolean {
  return language?.toLowerCase() === 'mermaid'
}

type Controls = { readonly actions?: boolean; readonly placement?: string }

/** Writes the diagram of a Mermaid fence. */
export function writeMermaid(writer: ContentWriter, { text, options }: CodeNode): void {
  writeDiagram(writer, text, options)
}

export function writeMermaidComponent(writer: ContentWriter, { props, children }: ComponentNode) {
  const chart = textProp(props, 'chart')
  const placement = textProp(props, 'placement')
  const controls: Controls = {
    ...(props.actions === false ? { actions: false } : {}),
    ...(placement === undefined ? {} : { placement }),
  }
  if (chart !== undefined) writeDiagram(writer, chart, controls)
  if (children.length === 0) return
  beginSource(writer, controls)
  writer.nodes(children)
  endSource(writer)
}

/**
 * Writes a drawing, or, if it cannot be drawn here, its source, which a script replaces with a
 * drawing.
 */
function writeDiagram(writer: ContentWriter, source: string, controls: Controls): void {
  const drawing = writer.draw?.(source)
  if (drawing === undefined) {
    beginSource(writer, controls)
    writer.putText(source)
    endSource(writer)
    return
  }
  beginFigure(writer, controls)
  // The drawing can be scrolled on a phone, also by keyboard.
  writer.put(`<div class="oct-drawing" tabindex="0">${drawing}</div>`)
  // The script shows the button. Authors can disable it with `actions={false}`.
  if (controls.actions !== false)
    writer.put(
      `<button type="button" class="oct-enlarge" data-oct="zoom" aria-label="${escapeHtml(writer.text.enlarge)}" hidden></button>`,
    )
  writer.put('</figure>')
}

function beginSource(writer: ContentWriter, controls: Controls): void {
  writer.notes.useFeature('diagram')
  beginFigure(writer, controls)
  writer.put('<pre class="oct-mermaid" data-oct="mermaid" tabindex="0">')
}

function endSource(writer: ContentWriter): void {
  writer.put('</pre></figure>')
}

/** Opens the element of a diagram. `actions` and `placement` configure its controls. */
function beginFigure(writer: ContentWriter, { actions, placement }: Controls): void {
  let controls = ''
  if (actions !== undefined) controls += ` data-actions="${actions}"`
  if (placement !== undefined && PLACEMENTS.has(placement)) {
    controls += ` data-placement="${escapeHtml(placement)}"`
  }
  writer.put(`<figure class="oct-diagram"${controls}>`)
}
