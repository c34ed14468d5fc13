import { languageTag, type NavDivision, type NavPage, SwitchTargets } from '@octavo/model'
import { type Html, html } from '../html.ts'
import { divisionsAround, type PageView } from './frame-input.ts'

/** Links to the same page in other languages, for search engines: found as a switch finds it. */
export class LanguageLinks {
  readonly #targets = new SwitchTargets()

  render({ entry }: PageView, whole: (path: string) => string): Html | undefined {
    const division = entry && divisionsAround(entry.section).find(({ kind }) => kind === 'language')
    if (entry === undefined || division === undefined) return undefined
    const versions = this.#versions(entry, division)
    // A page that is nowhere else has nothing to say.
    if (versions.length < 2) return undefined
    const [first] = versions
    const fallback = versions.find(({ division: it }) => it.isDefault) ?? first
    return html`${versions.map(({ division: it, page }) => html`<link rel="alternate" hreflang="${languageTag(it.language ?? it.label)}" href="${whole(page.url)}">`)}${fallback && html`<link rel="alternate" hreflang="x-default" href="${whole(fallback.page.url)}">`}`
  }

  #versions(
    entry: NavPage,
    language: NavDivision,
  ): readonly { readonly division: NavDivision; readonly page: NavPage }[] {
    return this.#targets.targets(entry, language).flatMap(({ division, page, samePage }) => {
      if (!samePage || page === undefined || page.missing || page.hidden) return []
      const isElsewhere = division.href !== undefined || page.link !== undefined
      return isElsewhere || division.hidden ? [] : [{ division, page }]
    })
  }
}
