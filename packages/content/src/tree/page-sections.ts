import type { PageNode } from './page-tree.ts'
import { writeText } from './plain-text.ts'
import { SectionMarks, type SectionNames } from './section-marks.ts'

/** A part of a page with its heading, for search and the assistant. */
export type TextSection = {
  /** The id of the heading; empty for the text before all headings. */
  readonly id: string
  /** The parent headings, starting with the outermost. */
  readonly path: readonly string[]
  readonly heading: string
  /** The visible text between this heading and the next. */
  readonly text: string
}

/** Splits a page at its headings. The first section has no heading and may be empty. */
export function pageSections(
  nodes: readonly PageNode[],
  names: SectionNames,
): readonly TextSection[] {
  const sections = new SectionMarks(names)
  const parts: string[] = []
  writeText(nodes, { parts, sections })
  const texts = sections.heads.map(() => '')
  for (const [index, { section, at }] of sections.marks.entries()) {
    if (section === undefined) continue
    texts[section] += parts.slice(at, sections.marks[index + 1]?.at).join('')
  }
  return sections.heads.map(({ id, path, heading }, index) => ({
    id,
    path,
    heading,
    text: (texts[index] ?? '').trim(),
  }))
}
