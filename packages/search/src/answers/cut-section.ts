import type { LibrarySection } from './site-library.ts'

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/
/**
 * Maximum length of a heading. The patterns below take quadratic time, so longer lines are not
 * matched.
 */
const HEADING_LENGTH_MAX = 1_000
const FENCE = /^\s*(`{3,}|~{3,})/

/**
 * Returns the part of a page's Markdown below one heading, including its subheadings. Returns
 * undefined if the section's title is not a heading in the Markdown, such as the title of a step;
 * the caller then uses the section's text.
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

/** A section with less text than this is quoted together with its subsections. */
const SHORT_LENGTH = 250

/**
 * Returns what can be quoted from a section: its text without its heading and, if it is short, also
 * its subsections. The text before the first heading of a page begins with the description.
 */
export function quotableText(
  markdown: string,
  { id, page }: Pick<LibrarySection, 'id' | 'page'>,
): string {
  const lines = markdown.split('\n')
  const [first, second] = findHeadings(lines)
  const hasTitle = first?.line === 0 && (id !== '' || first.level === 1)
  const start = hasTitle ? 1 : 0
  const next = hasTitle ? second : first
  const own = lines.slice(start, next?.line).join('\n').trim()
  const isShort = own.length < SHORT_LENGTH
  const text = isShort ? lines.slice(start).join('\n').trim() : own
  if (id !== '') return text
  // The Markdown also contains the description, as a quotation below the title.
  const rest = text.startsWith('> ') ? text.replace(/^>[^\n]*\n*/, '') : text
  return `${page.description}\n\n${rest}`.trim()
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
