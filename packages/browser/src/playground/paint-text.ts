/** Colors ranges of text without adding elements, so that even thousands of ranges are fast. */
export type TextMark = { readonly kind: string; readonly start: number; readonly end: number }

/**
 * Colors text and returns a function that removes the colors. In a browser without support for
 * highlights, the text stays plain.
 */
export function paintText(node: Node | null | undefined, marks: readonly TextMark[]): () => void {
  if (!(node instanceof Text) || typeof Highlight === 'undefined') return () => undefined
  const painted = marks.map(({ kind, start, end }) => {
    const range = new Range()
    range.setStart(node, Math.min(start, node.length))
    range.setEnd(node, Math.min(end, node.length))
    const highlight = highlightNamed(`oct-json-${kind}`)
    highlight.add(range)
    return { highlight, range }
  })
  return () => {
    for (const { highlight, range } of painted) highlight.delete(range)
  }
}

/**
 * Returns the highlight with the given name. All editors share it, since the names are in the
 * stylesheet.
 */
function highlightNamed(name: string): Highlight {
  const known = CSS.highlights.get(name)
  if (known !== undefined) return known
  const made = new Highlight()
  CSS.highlights.set(name, made)
  return made
}
