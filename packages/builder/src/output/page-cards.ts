/**
 * A picture for each page, for those who link to it. Its name is the hash of what it shows: pages that
 * show the same share it, and a build that finds it there draws nothing.
 */

import { accessKey, breadcrumbs, type Config, withoutCodeMarks } from '@octavo/model'
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

/** Names of sections that a card shows, the nearest last. */
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
    // The address of a picture must be whole; where that cannot be, nobody would find it.
    this.#isOn = publicBase({ config, ...(siteUrl === undefined ? {} : { siteUrl }) }) !== undefined
  }

  /** Makes sure that the picture of a page is there; nothing for a page that needs none. */
  put(page: PlannedPage): CardImage | undefined {
    const { config, output } = this.#input
    const { noindex, hidden } = page.frontmatter.fields
    if (!this.#isOn || noindex || hidden || hasImageTag(page, config)) return undefined
    const card = { title: withoutCodeMarks(page.title), section: sectionOf(page) }
    this.#seed ??= hashBytes(
      this.#input.version,
      loadFont('latin', 600),
      JSON.stringify(this.#look),
    )
    const { access } = page
    // Pages of another label have a picture of their own, also where it shows the same.
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
