import { type NavDivision, type Navigation, type NavPage, SwitchTargets } from '@octavo/model'
import { type Html, html } from '../markup/html.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionHref, pageAt } from './nav-link.ts'
import { hasSharedPages, sectionKey } from './page-sections.ts'

type SectionLinksInput = {
  readonly navigation: Navigation
  readonly marks: AccessMarks
  /** Returns the sections in which a shared page can be shown. */
  readonly sectionsOf: (page: NavPage) => ReadonlySet<NavDivision>
}

/**
 * Renders links into a section. A page listed in several sections is shown in the section whose
 * link was chosen. Without scripts, the link leads to a page that is listed only in that section.
 */
export class SectionLinks {
  readonly targets: SwitchTargets
  readonly #input: SectionLinksInput
  readonly #areNeeded: boolean
  readonly #links = new Map<NavDivision, Html | undefined>()

  constructor(input: SectionLinksInput) {
    this.#input = input
    this.targets = new SwitchTargets(input.navigation.byPath)
    this.#areNeeded = hasSharedPages(input.navigation)
  }

  /**
   * Returns ` href="…"` for a tab, anchor or menu entry; undefined if the division has no pages.
   */
  toDivision(division: NavDivision): Html | undefined {
    if (this.#links.has(division)) return this.#links.get(division)
    const href = divisionHref(division)
    const page = this.#areNeeded && href !== undefined ? pageAt(division, href) : undefined
    const link =
      page === undefined
        ? href && this.#input.marks.link(href)
        : this.toPage(page, division, this.targets.pageShowing(division, page))
    this.#links.set(division, link || undefined)
    return link || undefined
  }

  /**
   * Returns ` href="…"` for a page as listed in a division; `fallback` is the page that opens
   * without scripts. The link only names the division, so that a reader who follows it stays in the
   * chosen version or tab.
   */
  toPage(page: NavPage, division: NavDivision, fallback = page): Html {
    const { marks } = this.#input
    const link = marks.link(fallback.url)
    const key = sectionKey(division)
    if (key === '' || !this.canShow(page)) return link
    const url = fallback.url !== page.url && html` data-url="${page.url}"`
    return html`${link}${marks.wrap(html` data-section="${key}"${url}`, marks.ofNode(page))}`
  }

  /** Returns true if the page can be shown in the section of this entry. */
  canShow(entry: NavPage): boolean {
    return this.#input.sectionsOf(entry).has(entry.section)
  }
}
