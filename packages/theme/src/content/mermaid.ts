import type { CodeNode, ComponentNode } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { type ContentWriter, textProp } from './content-writer.ts'

const PLACEMENTS = new Set(['top-left', 'top-right', 'bottom-left', 'bottom-right'])

export function isMermaid({ language }: CodeNode): boolean {
  return language?.toLowerCase() === 'mermaid'
}

type Controls = { readonly actions?: boolean; readonly placement?: string }

/**
 * Writes the source of a Mermaid fence, which is readable as it is; a script replaces it with a
 * drawing.
 */
export function writeMermaid(writer: ContentWriter, { text, options }: CodeNode): void {
  beginDiagram(writer, options)
  writer.putText(text)
  endDiagram(writer)
}

export function writeMermaidComponent(writer: ContentWriter, { props, children }: ComponentNode) {
  const chart = textProp(props, 'chart')
  const placement = textProp(props, 'placement')
  const controls: Controls = {
    ...(props.actions === false ? { actions: false } : {}),
    ...(placement === undefined ? {} : { placement }),
  }
  if (chart !== undefined) {
    beginDiagram(writer, controls)
    writer.putText(chart)
    endDiagram(writer)
  }
  if (children.length === 0) return
  beginDiagram(writer, controls)
  writer.nodes(children)
  endDiagram(writer)
}

/** `actions` and `placement` configure the controls that the script adds. */
function beginDiagram(writer: ContentWriter, { actions, placement }: Controls): void {
  let controls = ''
  if (actions !== undefined) controls += ` data-actions="${actions}"`
  if (placement !== undefined && PLACEMENTS.has(placement)) {
    controls += ` data-placement="${escapeHtml(placement)}"`
  }
  writer.notes.useFeature('diagram')
  writer.put(`<figure class="oct-diagram"${controls}>`)
  writer.put('<pre class="oct-mermaid" data-oct="mermaid" tabindex="0">')
}

function endDiagram(writer: ContentWriter): void {
  writer.put('</pre></figure>')
}
