/** Where pages occur: listed twice, listed in several sections, or nowhere. */
import { diagnose, type Report } from '../diagnostic.ts'
import { placeOf } from '../json/json-node.ts'
import type { NavDivision, NavPage } from './navigation.ts'
import type { PageIndex } from './site-facts.ts'
import type { WrittenPage } from './written.ts'

type RepeatCheck = {
  readonly written: ReadonlyMap<NavPage, WrittenPage | undefined>
  readonly report: Report
}

/** Versions and languages show the same page on purpose; tabs of one version rarely do. */
export function reportRepeats(repeated: Iterable<readonly NavPage[]>, check: RepeatCheck): void {
  for (const pages of repeated) {
    pages.forEach((page, index) => {
      if (index > 0) reportRepeat(page, pages.slice(0, index), check)
    })
  }
}

function reportRepeat(page: NavPage, earlier: readonly NavPage[], check: RepeatCheck): void {
  const written = check.written.get(page)
  if (written === undefined) return
  const sameSection = earlier.find((other) => other.section === page.section)
  const sameEdition = earlier.find((other) => edition(other) === edition(page))
  const other = sameSection ?? sameEdition
  if (other === undefined || isRootAndEntry(page, other)) return
  const first = check.written.get(other)
  const related = first && {
    related: [{ message: 'It is first listed here.', place: placeOf(first.node) }],
  }
  if (sameSection !== undefined) {
    check.report(
      diagnose('nav/repeated-page', placeOf(written.node), {
        message: `"${page.path}" is listed twice in one sidebar.`,
        hint: 'Remove one of the two. Previous and next follow the first.',
        ...related,
      }),
    )
    return
  }
  check.report(
    diagnose('nav/shared-page', placeOf(written.node), {
      message: `"${page.path}" is listed in several sections. Its address opens the first.`,
      hint: 'Nothing to do if that is meant.',
      ...related,
    }),
  )
}

/** A group may name its root page and list it as well: that is one entry, written twice. */
function isRootAndEntry(page: NavPage, other: NavPage): boolean {
  const parent = page.parent.type === 'group' ? page.parent : undefined
  return parent !== undefined && (parent.root === other || parent.root === page)
}

/** The versions and languages a page belongs to. */
function edition(page: NavPage): string {
  let name = ''
  for (let at: NavDivision | undefined = page.section; at !== undefined; at = at.parent) {
    if (at.kind === 'version' || at.kind === 'language') name += `\n${at.kind}:${at.label}`
  }
  return name
}

/** The address of a page opens its entry in the default versions and languages, else the first. */
export function openingEntry(pages: readonly NavPage[]): NavPage {
  const [first] = pages
  if (first === undefined) throw new Error('a page without an entry')
  return pages.find(isDefaultEdition) ?? first
}

function isDefaultEdition(page: NavPage): boolean {
  for (let at: NavDivision | undefined = page.section; at !== undefined; at = at.parent) {
    if ((at.kind === 'version' || at.kind === 'language') && !at.isDefault) return false
  }
  return true
}

/** Pages that no navigation lists. They are served all the same, so the author should know. */
export function reportOrphans(
  pages: PageIndex,
  isListed: (path: string) => boolean,
  report: Report,
): void {
  for (const [path, page] of pages) {
    if (page.aside || isListed(path) || page.frontmatter.fields.hidden === true) continue
    report(
      diagnose(
        'nav/orphan-page',
        { file: page.file, line: 1, column: 1 },
        {
          message: `"${path}" is in no navigation. It is served, but readers find it only by its address.`,
          hint: 'List it in `navigation`, or add `hidden: true` to its frontmatter if that is meant.',
        },
      ),
    )
  }
}
