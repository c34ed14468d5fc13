import type { PageNode } from './page-tree.ts'
import { writeText } from './plain-text.ts'
import { SectionMarks, type SectionNames } from './section-marks.ts'

/** A part of a page that has a heading, for search and for whoever answers questions about it. */
export type TextSection = {
  /** The address of the heading on its page; empty for what stands before all headings. */
  readonly id: string
  /** Headings that it stands below, from the top down. */
  readonly path: readonly string[]
  readonly heading: string
  /** What a reader sees between this heading and the next, as words. */
  readonly text: string
}

/** A page cut at its headings, in reading order. The first section has none, and may be empty. */
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
