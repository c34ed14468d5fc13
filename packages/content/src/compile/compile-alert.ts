/** Block quotes that start with `[!NOTE]` or a similar marker become callouts, as on GitHub. */
import type { MdastNode } from 'satteri'
import type { PageNode } from '../tree/page-tree.ts'
import { compileChildren } from './compile-markdown.ts'
import type { Reading } from './reading.ts'

type Quote = Extract<MdastNode, { type: 'blockquote' }>

const CALLOUTS: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Info',
  warning: 'Warning',
  caution: 'Danger',
}

/** The marker must be alone on its line. */
const MARK = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r\n|\n|\r|$)/i

/** Compiles an alert to a callout; returns undefined for an ordinary block quote. */
export function compileAlert(reading: Reading, quote: Quote): PageNode | undefined {
  const [first, ...rest] = quote.children
  const [text, ...others] = first?.type === 'paragraph' ? first.children : []
  if (first?.type !== 'paragraph' || text?.type !== 'text') return undefined
  const [mark, kind = ''] = MARK.exec(text.value) ?? []
  const name = CALLOUTS[kind.toLowerCase()]
  if (mark === undefined || name === undefined) return undefined
  // If a link or emphasis follows on the marker's line, GitHub treats the block as a quote.
  if (mark === text.value && others.length > 0 && others[0]?.type !== 'break') return undefined
  const words = { ...text, value: text.value.slice(mark.length) }
  const inline = words.value === '' ? others.slice(1) : [words, ...others]
  const paragraph = inline.length === 0 ? [] : [{ ...first, children: inline }]
  reading.page.countNode()
  const children = compileChildren(reading, [...paragraph, ...rest])
  return { kind: 'component', name, props: {}, slots: undefined, children }
}
