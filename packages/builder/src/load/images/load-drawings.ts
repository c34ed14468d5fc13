import { type Diagnostic, diagnose } from '@octavo/model'
import type { SourceTree } from '../../source/source-tree.ts'
import { cleanSvg } from './clean-svg.ts'

/** The result for a file that is too large to check. Such a file is not served. */
const TOO_LARGE = { text: '', removed: ['the whole file, because it is too large'] }

/** Returns the cleaned text of the SVG files that must not be served unchanged. */
export function cleanSvgFiles(
  tree: SourceTree,
  report: (diagnostic: Diagnostic) => void,
): ReadonlyMap<string, string> {
  const drawings = new Map<string, string>()
  for (const file of tree.files) {
    if (!/\.svg$/i.test(file)) continue
    const text = tree.read(file)
    const drawing = text === undefined ? TOO_LARGE : cleanSvg(text)
    if (drawing === undefined) continue
    drawings.set(file, drawing.text)
    if (drawing.removed.length > 0) report(leftOut(file, text, drawing.removed))
  }
  return drawings
}

/** Matches an HTML page that was saved as an image, such as a "not found" page. */
const HTML = /^\s*(?:<!doctype html|<html)\b/i

function leftOut(file: string, text: string | undefined, removed: readonly string[]): Diagnostic {
  const place = { file, line: 1, column: 1 }
  if (HTML.test(text ?? '')) {
    const message = 'This is a web page, not an image, so nothing is shown.'
    const hint = 'Save the actual image under this name.'
    return diagnose('file/active-svg', place, { message, hint })
  }
  return diagnose('file/active-svg', place, {
    message: `Parts of this SVG are removed, because they could run code or load other files: ${removed.join(', ')}.`,
    hint: 'Export the image as PNG, or without scripts and links to other files.',
  })
}
