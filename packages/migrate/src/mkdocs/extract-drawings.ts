/** Moves drawings that a page contains as SVG markup into files, which the page shows as images. */
import { createHash } from 'node:crypto'

const DRAWING = /^([ \t]*)(?:<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*(<svg\b[\s\S]*?<\/svg>)[ \t]*$/gm
/** Shorter drawings, such as icons in the text, stay in the page. */
const LENGTH_MIN = 1_000

export function extractDrawings(text: string, drawings: Map<string, string>): string {
  if (!text.includes('<svg')) return text
  return text.replaceAll(DRAWING, (written, indent: string, drawing: string) => {
    if (drawing.length < LENGTH_MIN || drawing.includes('```')) return written
    const hash = createHash('sha256').update(drawing).digest('hex').slice(0, 12)
    const isNamed = drawing.includes('xmlns=')
    const whole = isNamed
      ? drawing
      : drawing.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
    const path = `images/drawings/${hash}.svg`
    drawings.set(path, `${whole}\n`)
    const alt = /<title[^>]*>([^<]{1,200})<\/title>/.exec(drawing)?.[1]?.trim() ?? ''
    return `${indent}<img src="/${path}" alt="${alt.replaceAll('"', '&quot;')}" />`
  })
}
