/** Finds comments in code that other tools interpret, and lines with which they insert a file. */

import { readForeignOptions } from './fence-options.ts'
import type { ForeignSyntax } from './foreign-syntax.ts'
import { quote } from './foreign-syntax.ts'
import type { CodePiece } from './parse-blocks.ts'
import { closesFence, type Line, markOf, readFence } from './source-lines.ts'

export const INCLUDES: readonly { readonly tool: string; readonly find: RegExp }[] = [
  { tool: 'MkDocs', find: /^-{1,2}8<-{1,2}(?:[ \t]+["'].*)?$/ },
  { tool: 'MkDocs', find: /^\{!>? ?[^{}]{1,300}!\}$/ },
  { tool: 'FastAPI', find: /^\{\* ?[^{}*]{1,300}\*\}$/ },
]
const INCLUDE_HINT = 'Put the text of the file here.'

function findIncludes(lines: readonly Line[]): readonly ForeignSyntax[] {
  return lines.flatMap((line) => {
    const text = line.text.trim()
    const tool = INCLUDES.find(({ find }) => find.test(text))?.tool
    if (tool === undefined) return []
    const mark = markOf(line)
    const message = `In ${tool}, ${quote(text)} inserts a file; here it is shown as text.`
    return [{ offset: mark.start, marks: [mark], message, hint: INCLUDE_HINT }]
  })
}

/** Returns a code block with the options that Octavo reads. */
export function rewriteCode(lines: readonly string[]): readonly string[] {
  const [first = '', ...rest] = lines
  const fence = readFence(first)
  const put =
    fence === undefined ? undefined : readForeignOptions(fence.info, () => rest.join('\n'))?.put
  return fence === undefined || put === undefined
    ? lines
    : [first.slice(0, fence.infoAt).trimEnd() + put, ...rest]
}

/** Returns the syntax of other tools in a code block and in its first line. */
export function findInCode({ lines }: CodePiece): readonly ForeignSyntax[] {
  const [first, ...rest] = lines
  const fence = first === undefined ? undefined : readFence(first.text)
  if (first === undefined || fence === undefined) return []
  const isMarkup = /^(?:md|mdx|markdown|mdoc)$/i.test(fence.info.split(/[\s{]/, 1)[0] ?? '')
  const inside = isMarkup ? [] : [...findIncludes(rest), ...findComments(lines)]
  const options = readForeignOptions(fence.info, () => rest.map(({ text }) => text).join('\n'))
  if (options === undefined) return inside
  const { written, tool, hint, put } = options
  const offset = first.at + fence.infoAt
  const mark = { start: offset, end: offset + fence.info.length }
  const own: ForeignSyntax = {
    offset,
    marks: [mark],
    message: `${quote(written)} is a code option of ${tool} that Octavo does not support.`,
    hint,
    fix: put === undefined ? undefined : { find: fence.info, put },
  }
  return [own, ...inside]
}

const ANNOTATION = /(?:#|\/\/|--|\/\*|<!--|;|%)[ \t]*\(\d{1,3}\)!/
const DOCUSAURUS = /^\s*(?:\/\/|#|\/\*|<!--|\{\/\*|--)\s*(highlight-(?:next-line|start|end))\b/
const VITEPRESS = /\[!code (?:warning|error|word:[^\]\n]{1,100})(?::\d+)?\]/

function findComments(lines: readonly Line[]): readonly ForeignSyntax[] {
  const found: ForeignSyntax[] = []
  const fix = highlightFix(lines)
  for (const line of lines.slice(1)) {
    const annotation = ANNOTATION.exec(line.text)
    const comment = DOCUSAURUS.exec(line.text)
    const special = VITEPRESS.exec(line.text)
    if (annotation !== null && !found.some(({ message }) => message.includes('annotation'))) {
      const at = line.at + annotation.index
      found.push({
        offset: at,
        marks: [],
        message: `${quote(annotation[0])} is a code annotation of MkDocs; here it is shown as code.`,
        hint: 'Write the note as a comment, or as text below the code.',
      })
    }
    if (comment !== null && !found.some(({ message }) => message.includes('highlights'))) {
      const first = lines[0]
      const at = fix === undefined || first === undefined ? markOf(line).start : markOf(first).start
      found.push({
        offset: at,
        marks: [],
        message: `${quote(comment[0])} highlights lines in Docusaurus; here it is shown as code.`,
        hint: 'List the lines after the opening fence, as in `{2,4-5}`, and remove the comments.',
        fix,
      })
    }
    if (special !== null) {
      const isWord = special[0].includes('word:')
      found.push({
        offset: line.at + special.index,
        marks: [],
        message: `${quote(special[0])} marks a line in VitePress; here it is shown as code.`,
        hint: isWord ? 'Remove the comment.' : 'Write `[!code highlight]`.',
        fix: isWord
          ? undefined
          : { find: special[0], put: special[0].replace(/warning|error/, 'highlight') },
      })
    }
  }
  return found
}

/**
 * Returns the fix that removes the highlight comments and adds their line numbers to the code
 * options.
 */
function highlightFix(lines: readonly Line[]): { find: string; put: string } | undefined {
  const [first, ...rest] = lines
  const fence = first === undefined ? undefined : readFence(first.text)
  if (first === undefined || fence === undefined || /\{/.test(fence.info)) return undefined
  const highlighted: number[] = []
  const kept: string[] = []
  let isOn = false
  let isNext = false
  for (const { text } of rest) {
    const kind = DOCUSAURUS.exec(text)?.[1]
    if (kind === 'highlight-start') isOn = true
    else if (kind === 'highlight-end') isOn = false
    else if (kind === 'highlight-next-line') isNext = true
    else {
      kept.push(text)
      if ((isOn || isNext) && !closesFence(text, fence)) highlighted.push(kept.length)
      isNext = false
    }
  }
  if (
    highlighted.length === 0 ||
    readForeignOptions(fence.info, () => kept.join('\n')) !== undefined
  )
    return undefined
  const opening = `${first.text.trim()} {${ranges(highlighted)}}`
  const written = [first.text.trimStart(), ...rest.map(({ text }) => text)]
  return { find: written.join('\n').trimEnd(), put: [opening, ...kept].join('\n').trimEnd() }
}

/** Returns `2,4-6` for [2, 4, 5, 6]. */
function ranges(lines: readonly number[]): string {
  const parts: string[] = []
  let start = 0
  for (const [index, line] of lines.entries()) {
    if (lines[index - 1] !== line - 1) start = line
    if (lines[index + 1] !== line + 1) parts.push(start === line ? `${line}` : `${start}-${line}`)
  }
  return parts.join(',')
}
