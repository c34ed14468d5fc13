import { languageTag, type NavDivision, type NavPage, SwitchTargets } from '@octavo/model'
import { type Html, html } from '../markup/html.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionsAround, type PageView } from './frame-input.ts'

/**
 * Links to the same page in other languages, for search engines. They have the same targets as the
 * language menu.
 */
export class LanguageLinks {
  readonly #targets = new SwitchTargets()
  readonly #marks: AccessMarks

  constructor(marks: AccessMarks) {
    this.#marks = marks
  }

  render({ entry }: PageView, whole: (path: string) => string): Html | undefined {
    const division = entry && divisionsAround(entry.section).find(({ kind }) => kind === 'language')
    if (entry === undefined || division === undefined) return undefined
    const versions = this.#versions(entry, division)
    // A page in only one language needs no links.
    if (versions.length < 2) return undefined
    const [first] = versions
    const fallback = versions.find(({ division: it }) => it.isDefault) ?? first
    const link = (language: string, page: NavPage) =>
      this.#marks.wrap(
        html`<link rel="alternate" hreflang="${language}" href="${whole(page.url)}">`,
        this.#marks.ofNode(page),
      )
    return html`${versions.map(({ division: it, page }) => link(languageTag(it.language ?? it.label), page))}${fallback && link('x-default', fallback.page)}`
  }

  #versions(
    entry: NavPage,
    language: NavDivision,
  ): readonly { readonly division: NavDivision; readonly page: NavPage }[] {
    return this.#targets.targets(entry, language).flatMap(({ division, page, samePage }) => {
      if (!samePage || page === undefined || page.missing || page.hidden) return []
      const isExternalDestination = division.href !== undefined || page.link !== undefined
      return isExternalDestination || division.hidden ? [] : [{ division, page }]
    })
  }
}
