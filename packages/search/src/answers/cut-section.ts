import type { LibrarySection } from './site-library.ts'

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/
/** Longer lines are not treated as headings, because these patterns take quadratic time. */
const HEADING_LENGTH_MAX = 1_000
const FENCE = /^\s*(`{3,}|~{3,})/

/**
 * Returns the part of a page's Markdown below one heading, including its subheadings. Undefined if
 * the section's title, such as that of a step, is not a heading in the Markdown; the caller then
 * uses the section's text.
 */
export function cutSection(
  markdown: string,
  section: Pick<LibrarySection, 'headings'>,
  place: number,
): string | undefined {
  const wanted = plainHeading((section.headings.at(-1) ?? '').slice(0, HEADING_LENGTH_MAX))
  const lines = markdown.split('\n')
  const headings = findHeadings(lines)
  const same = headings.filter(({ text }) => text === wanted)
  const start = same[place]
  if (start === undefined) return undefined
  const next = headings.find(({ line, level }) => line > start.line && level <= start.level)
  return lines.slice(start.line, next?.line).join('\n').trim()
}

type Heading = { readonly line: number; readonly level: number; readonly text: string }

/** Finds headings outside of code blocks. */
function findHeadings(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = []
  let fence = ''
  for (const [line, text] of lines.entries()) {
    const mark = FENCE.exec(text)?.[1]
    if (mark !== undefined && fence === '') fence = mark
    else if (fence !== '' && text.trim().startsWith(fence)) fence = ''
    else if (fence === '' && text.length <= HEADING_LENGTH_MAX) {
      const [, marks, heading] = HEADING.exec(text) ?? []
      if (marks !== undefined && heading !== undefined)
        headings.push({ line, level: marks.length, text: plainHeading(heading) })
    }
  }
  return headings
}

/** Removes emphasis, code marks and link targets from a heading. */
function plainHeading(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_~\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
