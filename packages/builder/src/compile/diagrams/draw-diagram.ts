/**
 * Draws Mermaid diagrams when the site is built, so that a page needs no script of 500 KB for them.
 * The library draws flowcharts and diagrams of states, classes and entities. The script on the page
 * draws all others, and those that the library cannot draw as their author wrote them.
 */
import { hashBytes } from '../../source/hash-bytes.ts'
import { isWhole } from './is-whole.ts'
import { printDrawing } from './print-drawing.ts'

const KIND = /^\s*(?:flowchart|graph|stateDiagram|classDiagram|erDiagram)\b/
/**
 * Matches what the library ignores or draws differently: settings, titles, links, colors, icons and
 * shapes by name.
 */
const UNSUPPORTED =
  /^\s*(?:---|click\s|href\s|style\s|classDef\s|class\s[\w,]+\s+\w+\s*$|linkStyle\s|acc(?:Title|Descr)\b)|%%\{|:::|@\{|\bfa[bsr]?:fa-|\$\$/m
/** The time of the library grows quickly with the number of edges between the same nodes. */
const LINES_MAX = 100
const SIZE_MAX = 4_000
const JOINED_NODES_MAX = 10
/** What Mermaid allows and the library does not: `;` at the end of a line, and `A-->B`. */
const LINE_END = /;[ \t]*$/gm
const BEFORE_ARROW = /(?<=[\p{L}\p{N}_\])}"])(?=<?(?:-->|---|-\.->|==>|===))/gu
/** All diagrams of a page together. */
const PAGE_LINES_MAX = 400

/** Returns the drawing as SVG, or undefined if the script has to draw the diagram. */
export type DrawDiagram = (source: string) => string | undefined

/** Creates the function that draws the diagrams of one page. */
export async function openDiagrams(): Promise<DrawDiagram> {
  const { renderMermaidSVG } = await import('beautiful-mermaid')
  let lineCount = 0
  return (written) => {
    const source = written.replaceAll(LINE_END, '').replaceAll(BEFORE_ARROW, ' ')
    const count = source.split('\n').length
    if (lineCount + count > PAGE_LINES_MAX || count > LINES_MAX || !isSupported(source))
      return undefined
    lineCount += count
    try {
      const drawn = renderMermaidSVG(source)
      const svg = printDrawing(drawn, hashBytes(source).slice(0, 8))
      return svg !== undefined && isWhole(source, svg) ? svg : undefined
    } catch {
      // The library does not know the syntax or failed. The script shows or reports the diagram.
      return undefined
    }
  }
}

function isSupported(source: string): boolean {
  return (
    source.length <= SIZE_MAX &&
    KIND.test(source.replaceAll(/^\s*%%[^{\n]*\n/gm, '')) &&
    !UNSUPPORTED.test(source) &&
    source.split('&').length <= JOINED_NODES_MAX
  )
}
