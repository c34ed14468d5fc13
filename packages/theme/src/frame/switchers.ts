/** Menus that lead to the same page in another version, language, product or dropdown. */
import { languageTag, type NavDivision, type NavPage, type SwitchTarget } from '@octavo/model'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { type Html, html, markup } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionsAround } from './frame-input.ts'
import { languageName } from './language-names.ts'
import type { SectionLinks } from './section-links.ts'

export type SwitchPlace = 'header' | 'sidebar'

/**
 * Menus of versions and languages are in the header, because they apply to the whole site. Menus of
 * products and dropdowns are above the pages in the sidebar, to which they apply.
 */
const PLACES: Readonly<Partial<Record<NavDivision['kind'], SwitchPlace>>> = {
  version: 'header',
  language: 'header',
  product: 'sidebar',
  dropdown: 'sidebar',
}

/** The page on which a reader opens a menu. */
export type SwitchContext = {
  readonly section: NavDivision
  readonly page: NavPage | undefined
}

type Look = {
  readonly icons: SpriteFile | undefined
  readonly marks: AccessMarks
  readonly links: SectionLinks
}

export class Switchers {
  readonly #look: Look

  constructor(look: Look) {
    this.#look = look
  }

  /**
   * Renders the menus of one position, outermost first. They are not cached, because few sites have
   * any.
   */
  render(place: SwitchPlace, at: SwitchContext, text: InterfaceText): Html | undefined {
    const divisions = divisionsAround(at.section).filter(({ kind }) => PLACES[kind] === place)
    if (divisions.length === 0) return undefined
    return html`${divisions.toReversed().map((division, index) => {
      const id = `oct-${place}-${index}`
      return this.#menu(division, { ...at, id }, text)
    })}`
  }

  #menu(
    division: NavDivision,
    { page, id }: SwitchContext & { readonly id: string },
    text: InterfaceText,
  ): Html | undefined {
    const targets =
      page === undefined
        ? siblingsOf(division).map(noTarget)
        : this.#look.links.targets.targets(page, division)
    const shown = targets.filter(
      (target) => !target.division.hidden || target.division === division,
    )
    if (shown.length < 2) return undefined
    const label = menuLabel(division, text)
    // A popover closes on Escape and on an outside click, without scripts.
    return html`<div class="oct-menu oct-menu-${division.kind}"><button type="button" popovertarget="${id}"${label}>${face(division, this.#look.icons)}</button><ul id="${id}" popover>${shown.map(
      (target) => item(target, division, this.#look),
    )}</ul></div>`
  }
}

/** Returns the target for an unlisted page: the first page of the division. */
function noTarget(division: NavDivision): SwitchTarget {
  return { division, page: undefined, samePage: false, shared: undefined }
}

function menuLabel(division: NavDivision, text: InterfaceText): Html | undefined {
  if (division.kind === 'language') {
    return html` aria-label="${text.language}: ${languageName(division.language ?? division.label)}"`
  }
  return division.kind === 'version'
    ? html` aria-label="${text.version}: ${division.label}${division.tag && ` ${division.tag}`}"`
    : undefined
}

function siblingsOf(division: NavDivision): readonly NavDivision[] {
  return (division.parent?.children ?? []).filter(
    (child): child is NavDivision => child.type === 'division' && child.kind === division.kind,
  )
}

function face(division: NavDivision, icons: SpriteFile | undefined): Html {
  const name =
    division.kind === 'language'
      ? languageName(division.language ?? division.label)
      : division.label
  const tag = division.tag && html` <span class="oct-tag">${division.tag}</span>`
  return html`${renderIcon(division.icon, icons)}<span>${name}</span>${tag}`
}

function item(
  { division, page, shared }: SwitchTarget,
  current: NavDivision,
  { marks, icons, links }: Look,
): Html | undefined {
  const here = shared !== undefined && links.canShow(shared) ? shared : page
  const link =
    division.href === undefined && page !== undefined && here !== undefined
      ? links.toPage(here, division, page)
      : links.toDivision(division)
  if (link === undefined) return undefined
  const mark = division === current ? markup(' aria-current="true"') : undefined
  const code = division.kind === 'language' ? (division.language ?? division.label) : undefined
  const language = code && html` lang="${languageTag(code)}" hreflang="${languageTag(code)}"`
  const about = division.description && html`<small>${division.description}</small>`
  const entry = html`<li><a${link}${mark}${language}>${face(division, icons)}${about}</a></li>`
  return marks.wrap(entry, marks.ofNode(division))
}
