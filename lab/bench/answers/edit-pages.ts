/**
 * Edits the pages of a documentation folder. An edit removes sections or makes a harmless change.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder } from '@octavo/builder'
import { hasPassage } from '../../../packages/search/src/answers/passage-text.ts'

export type PageEdit = { readonly file: string; readonly text: string }

const HEADING = /^(#{1,6})\s/
const FENCE = /^\s*(`{3,}|~{3,})/

/** Returns the source file of a page; undefined for a generated page. */
export function sourceOfPage(folder: string, page: string): string | undefined {
  const path = page === '/' ? 'index' : page.slice(1)
  return [`${path}.mdx`, `${path}.md`, `${path}/index.mdx`]
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
}

/**
 * Returns the edit that removes the sections and the description that contain one of the passages;
 * undefined if there is nothing to remove.
 */
export function removeSections(file: string, passages: readonly string[]): PageEdit | undefined {
  const lines = readFileSync(file, 'utf8').split('\n')
  const starts = sectionStarts(lines)
  const head = lines.slice(0, starts[0])
  const sections = starts.map((start, at) => lines.slice(start, starts[at + 1]).join('\n'))
  const kept = [...head, ...sections].filter((part) => !hasPassage(part, passages))
  if (kept.length === head.length + sections.length) return undefined
  return { file, text: kept.join('\n') }
}

const SOURCE = /\.(?:mdx?|json|ya?ml)$/

/** Returns the text of every source by file. */
export function readSources(folder: string): ReadonlyMap<string, string> {
  const files = readFolder(folder).files.filter((path) => SOURCE.test(path))
  return new Map(
    files.map((path) => [join(folder, path), readFileSync(join(folder, path), 'utf8')]),
  )
}

/**
 * Returns the first line of each section: the line after the frontmatter, and each heading outside
 * of code.
 */
function sectionStarts(lines: readonly string[]): readonly number[] {
  const starts: number[] = []
  const top = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  let fence = ''
  for (let at = top; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined) fence = fence === '' ? mark : ''
    if (at === top || (fence === '' && HEADING.test(line))) starts.push(at)
  }
  return starts
}

const KINDS = [
  (text: string) => `${text.trimEnd()}\n\nThis page was last reviewed in spring.\n`,
  (text: string) =>
    `${text.trimEnd()}\n\n<Note>Tell us if something on this page is unclear.</Note>\n`,
  (text: string) => replaceInProse(text, /\. (?=[A-Z])/, '.\n'),
  (text: string) => replaceInProse(text, /\b(?:and|with) the\b/, (found) => `${found} `),
  (text: string) => `${text.trimEnd()}\n\n## Further reading\n\nOther pages explain the details.\n`,
]

/** Returns an edit that removes no answer. */
export function editHarmlessly(file: string, kind: number): PageEdit {
  const change = KINDS[kind % KINDS.length] ?? ((text: string) => text)
  return { file, text: change(readFileSync(file, 'utf8')) }
}

/** Replaces the first match in a paragraph, not in frontmatter, code, tables or tags. */
function replaceInProse(
  text: string,
  pattern: RegExp,
  by: string | ((found: string) => string),
): string {
  const lines = text.split('\n')
  const first = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  let fence = ''
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const mark = FENCE.exec(line)?.[1]
    if (mark !== undefined) fence = fence === '' ? mark : ''
    if (fence !== '' || !/^[A-Z][a-z]/.test(line) || !pattern.test(line)) continue
    lines[at] = line.replace(pattern, (found) => (typeof by === 'string' ? by : by(found)))
    break
  }
  return lines.join('\n')
}
