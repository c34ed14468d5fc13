/**
 * A preview image for each page. Its name is the hash of its content: pages with the same content
 * share it, and a build does not draw an image that exists.
 */

import { accessKey, breadcrumbs, type Config, stripCodeMarks } from '@octavo/model'
import { hasImageTag, publicBase } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { CARD_HEIGHT, CARD_WIDTH, type CardLook, CardPainter } from './cards/draw-card.ts'
import { loadFont } from './cards/load-font.ts'
import type { SiteOutput } from './site-output.ts'

export type PageCardsInput = {
  readonly config: Config
  readonly output: SiteOutput
  readonly version: string
  readonly siteUrl: string | undefined
}

export type CardImage = { readonly url: string; readonly width: number; readonly height: number }

/** Section names on a card, the nearest last. */
const SECTIONS_MAX = 2

export class PageCards {
  readonly #input: PageCardsInput
  readonly #look: CardLook
  readonly #isOn: boolean
  #seed: string | undefined
  #painter: CardPainter | undefined

  constructor(input: PageCardsInput) {
    this.#input = input
    const { config, siteUrl } = input
    const { thumbnails, appearance, colors, name } = config
    this.#look = {
      name,
      color: colors.primary,
      appearance: (thumbnails?.appearance ?? appearance?.default) === 'dark' ? 'dark' : 'light',
    }
    // Preview images need absolute URLs, so they require a known site URL.
    this.#isOn = publicBase({ config, ...(siteUrl === undefined ? {} : { siteUrl }) }) !== undefined
  }

  /** Writes the preview image of a page if it is missing; undefined if the page needs no image. */
  put(page: PlannedPage): CardImage | undefined {
    const { config, output } = this.#input
    const { noindex, hidden } = page.frontmatter.fields
    if (!this.#isOn || noindex || hidden || hasImageTag(page, config)) return undefined
    const card = { title: stripCodeMarks(page.title), section: sectionOf(page) }
    this.#seed ??= hashBytes(
      this.#input.version,
      loadFont('latin', 600),
      JSON.stringify(this.#look),
    )
    const { access } = page
    // Pages with another label have their own image, even with the same content.
    const label = access === 'default' ? [] : [accessKey(access)]
    const key = hashBytes(this.#seed, card.title, card.section ?? '', ...label)
    const path = `${OWN_FOLDER}/og/${key.slice(0, 24)}.png`
    const facts = { key, access }
    if (!output.has(path) && !output.keep(path, facts)) {
      this.#painter ??= new CardPainter(this.#look, loadFont)
      output.write(path, this.#painter.draw(card), facts)
    }
    return { url: `/${path}`, width: CARD_WIDTH, height: CARD_HEIGHT }
  }
}

function sectionOf({ entry }: PlannedPage): string | undefined {
  const labels = entry === undefined ? [] : breadcrumbs(entry).map(({ label }) => label)
  return labels.length === 0 ? undefined : labels.slice(-SECTIONS_MAX).join(' · ')
}
