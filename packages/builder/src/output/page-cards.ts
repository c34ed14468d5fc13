/**
 * Writes a preview image for each page. Its name is a hash of its content, so pages with the same
 * content share an image, and a build does not draw an image that already exists.
 */

import { accessKey, breadcrumbs, type Config, joinPath, stripCodeMarks } from '@octavo/model'
import { hasImageTag, lookOf, publicBase, sitePalette } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { readLogo } from './cards/card-logo.ts'
import {
  CARD_HEIGHT,
  CARD_WIDTH,
  type CardLook,
  CardPainter,
  LOGO_COLORS_MAX,
  LOGO_HEIGHT,
} from './cards/draw-card.ts'
import { loadFont } from './cards/load-font.ts'
import { operationOf } from './search/indexed-page.ts'
import type { SiteOutput } from './site-output.ts'

export type PageCardsInput = {
  readonly config: Config
  readonly output: SiteOutput
  readonly version: string
  readonly siteUrl: string | undefined
  readonly pageCount: number
  readonly tree: Pick<SourceTree, 'readBytes'>
}

export type CardImage = { readonly url: string; readonly width: number; readonly height: number }

const BLACK = [0, 0, 0] as const
/** The pattern doubles the size of a card, which matters for the largest sites. */
const CARDS_WITH_PATTERN_MAX = 2_000
/** Maximum number of section names on a card. The nearest section is the last one. */
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
    // The URL of a preview image must be absolute, so the URL of the site must be known.
    const base = publicBase({ config, ...(siteUrl === undefined ? {} : { siteUrl }) })
    this.#isOn = base !== undefined
    this.#look = cardLook(input, base)
  }

  /**
   * Writes the preview image of a page if it is missing. Returns undefined if the page needs no
   * image.
   */
  put(page: PlannedPage): CardImage | undefined {
    const { config, output } = this.#input
    const { noindex, hidden } = page.frontmatter.fields
    if (!this.#isOn || noindex || hidden || hasImageTag(page, config)) return undefined
    const { description } = page
    const card = { title: stripCodeMarks(page.title), description, section: sectionOf(page) }
    this.#seed ??= hashBytes(
      this.#input.version,
      loadFont('latin', 600),
      JSON.stringify(this.#look),
    )
    const { access } = page
    // Pages with a different label have their own image, even if it has the same content.
    const label = access === 'default' ? [] : [accessKey(access)]
    const key = hashBytes(this.#seed, JSON.stringify(card), ...label)
    const path = `${OWN_FOLDER}/og/${key.slice(0, 24)}.png`
    const facts = { key, access }
    if (!output.has(path) && !output.keep(path, facts)) {
      this.#painter ??= new CardPainter(this.#look, loadFont)
      output.write(path, this.#painter.draw(card), facts)
    }
    return { url: `/${path}`, width: CARD_WIDTH, height: CARD_HEIGHT }
  }
}

function cardLook({ config, pageCount, tree }: PageCardsInput, base: string | undefined): CardLook {
  const { thumbnails, appearance, name, theme, logo } = config
  const scheme = (thumbnails?.appearance ?? appearance?.default) === 'dark' ? 'dark' : 'light'
  const {
    page = BLACK,
    strong = BLACK,
    muted = BLACK,
    primary = BLACK,
  } = sitePalette(config)[scheme]
  const written = typeof logo === 'object' ? logo[scheme] : logo
  // A logo at an address of another site is not fetched for cards.
  const file =
    written === undefined || /^\w+:|^\/\//.test(written) ? undefined : joinPath('', written)
  const bytes = base === undefined || file === undefined ? undefined : tree.readBytes(file)
  return {
    name,
    host: base === undefined ? '' : new URL(base).host,
    colors: { page, strong, muted, primary },
    art: pageCount > CARDS_WITH_PATTERN_MAX ? undefined : { look: lookOf(theme).name, seed: name },
    logo:
      bytes &&
      readLogo(bytes, { page, ink: strong, height: LOGO_HEIGHT, colorsMax: LOGO_COLORS_MAX }),
  }
}

function sectionOf(page: PlannedPage): string | undefined {
  const operation = operationOf(page)
  if (operation !== undefined) return `${operation.method.toUpperCase()} ${operation.path}`
  const { entry } = page
  const labels = entry === undefined ? [] : breadcrumbs(entry).map(({ label }) => label)
  return labels.length === 0 ? undefined : labels.slice(-SECTIONS_MAX).join(' › ')
}
