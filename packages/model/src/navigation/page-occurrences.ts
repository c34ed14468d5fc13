/** Checks pages that are listed twice, or in several sections. */
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOf } from '../json/json-node.ts'
import { filledKinds } from './child-kind.ts'
import type { NavDivision, NavPage } from './navigation.ts'
import { divisionsOf } from './page-context.ts'
import type { WrittenPage } from './written.ts'

type RepeatCheck = {
  /** Each entry as the author wrote it; undefined for a generated entry. */
  readonly written: ReadonlyMap<NavPage, WrittenPage | undefined>
  /** The nodes of sections, which are used as the place of generated entries. */
  readonly sections: ReadonlyMap<NavDivision, JsonNode>
  readonly report: Report
}

/** An entry with its node in docs.json. */
type Entry = { readonly page: NavPage; readonly node: JsonNode; readonly isGenerated: boolean }

/** Two sections that list the same pages, with the first such page and the number of pages. */
type Shared = { readonly first: Entry; readonly again: Entry; count: number }

/**
 * Reports pages that are listed several times. Languages, and groups of the same sidebar, share
 * pages on purpose; other sections rarely do, and the address of a page opens only one of them.
 * Hidden entries are ignored.
 */
export function reportRepeats(repeated: Iterable<readonly NavPage[]>, check: RepeatCheck): void {
  const shared = new Map<NavDivision, Map<NavDivision, Shared>>()
  for (const pages of repeated) {
    const entries = shownEntries(pages, check)
    entries.forEach((entry, index) => {
      const earlier = entries.slice(0, index)
      const beside = earlier.filter(({ page }) => page.section === entry.page.section)
      const duplicate = beside.find(
        (other) => !entry.isGenerated && other.node.parent === entry.node.parent,
      )
      if (duplicate !== undefined) reportDuplicate(entry, duplicate, check.report)
      else if (beside.length === 0) countShared(entry, earlier, shared)
    })
  }
  for (const others of shared.values()) {
    for (const pair of others.values()) reportShared(pair, check.report)
  }
}

/**
 * Returns the entries to check. Skips entries whose parent has several kinds of children: that
 * mistake has already been reported, and its fix moves them.
 */
function shownEntries(
  pages: readonly NavPage[],
  { written, sections }: RepeatCheck,
): readonly Entry[] {
  return pages.flatMap((page) => {
    const own = written.get(page)?.node
    const isGenerated = own === undefined
    const node = own ?? sections.get(page.section)
    const owner = node?.parent?.parent
    const isMixed = owner?.type === 'object' && filledKinds(owner).length > 1
    return node === undefined || page.hidden || isMixed ? [] : [{ page, node, isGenerated }]
  })
}

function reportDuplicate({ page, node }: Entry, first: Entry, report: Report): void {
  report(
    diagnose('nav/repeated-page', placeOf(node), {
      message: `"${page.path}" appears twice in one list of pages.`,
      hint: 'Remove one of the two. The previous and next links follow the first one.',
      related: [{ message: 'It is first listed here.', place: placeOf(first.node) }],
    }),
  )
}

function countShared(
  again: Entry,
  earlier: readonly Entry[],
  shared: Map<NavDivision, Map<NavDivision, Shared>>,
): void {
  const first =
    earlier.find(({ page }) => edition(page) === edition(again.page)) ??
    earlier.find(({ page }) => edition(page, ['language']) === edition(again.page, ['language']))
  // Pages that mint.json lists once for all versions are intentionally shared.
  if (first === undefined || first.node === again.node) return
  const others = shared.get(first.page.section) ?? new Map<NavDivision, Shared>()
  shared.set(first.page.section, others)
  const pair = others.get(again.page.section)
  if (pair === undefined) others.set(again.page.section, { first, again, count: 1 })
  else pair.count += 1
}

function reportShared({ first, again, count }: Shared, report: Report): void {
  const sections = `${nameOf(first.page)} and ${nameOf(again.page)}`
  const { path } = again.page
  const opensAgain = openingEntry([first.page, again.page]) === again.page
  const opened = opensAgain ? 'the second' : 'the first'
  report(
    diagnose('nav/shared-page', placeOf(again.node), {
      message:
        count === 1
          ? `${sections} both list "${path}". Its URL opens ${opened}.`
          : `${sections} both list ${count} pages, such as "${path}". Their URLs open ${opened}.`,
      hint: 'Nothing to do if this is intended: readers stay in the section that they opened.',
      related: [{ message: 'It is first listed here.', place: placeOf(first.node) }],
    }),
  )
}

function nameOf(page: NavPage): string {
  const labels = divisionsOf(page).map(({ label }) => label)
  return labels.length === 0 ? 'The top level' : `"${labels.join(' › ')}"`
}

/** Returns a key for the version and language of a page. */
function edition(
  page: NavPage,
  kinds: readonly NavDivision['kind'][] = ['version', 'language'],
): string {
  let name = ''
  for (let at: NavDivision | undefined = page.section; at !== undefined; at = at.parent) {
    if (kinds.includes(at.kind)) name += `\n${at.kind}:${at.label}`
  }
  return name
}

/**
 * Returns the entry that opens at the page's address: the one in the default version and language,
 * or else the first.
 */
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
