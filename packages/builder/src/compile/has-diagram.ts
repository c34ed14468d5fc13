/**
 * Whether a page has a diagram that a browser has to draw, by how the theme writes its source: an
 * author's text cannot hold the quotes.
 */
export function hasDiagram(html: string): boolean {
  return html.includes(' data-oct="mermaid"')
}
