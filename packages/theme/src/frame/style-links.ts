/**
 * Links the styles of a page in a fixed order: the theme's base, the style parts that the page
 * uses, its utility classes, and the author's stylesheets.
 */

import { STYLE_PARTS, type StylePart } from '../looks/style-parts.ts'
import { html } from '../markup/html.ts'
import { utilityStyles } from '../utilities/utility-styles.ts'
import type { FrameAssets } from './frame-input.ts'

export class StyleLinks {
  readonly #assets: FrameAssets
  readonly #preloads: string
  /** The written links are cached, since a site uses few combinations of parts. */
  readonly #known = new Map<number, string>()
  readonly #authors: string

  constructor(assets: FrameAssets, fontUrls: readonly string[]) {
    this.#assets = assets
    const preloads = fontUrls.map(
      (url) => html`<link rel="preload" href="${url}" as="font" crossorigin>`,
    )
    this.#preloads = html`${preloads}`.toString()
    this.#authors = links(assets.authorStyles)
  }

  render(parts: readonly StylePart[], utilities: readonly string[] = []): string {
    // These styles are not cached: few pages have utility classes, and rarely the same ones.
    const own = utilities.length === 0 ? '' : `<style>${utilityStyles(utilities)}</style>`
    return `${this.#ours(parts)}${own}${this.#authors}`
  }

  #ours(parts: readonly StylePart[]): string {
    let mask = 0
    for (const part of parts) mask |= 1 << STYLE_PARTS.indexOf(part)
    const known = this.#known.get(mask)
    if (known !== undefined) return known
    const { styles, parts: urls } = this.#assets
    const used = STYLE_PARTS.filter((_, index) => (mask & (1 << index)) !== 0)
    const own = used.map((part) => urls[part]).filter((url) => url !== undefined)
    const written = `${this.#preloads}${links([...styles, ...own])}`
    this.#known.set(mask, written)
    return written
  }
}

function links(urls: readonly string[]): string {
  return html`${urls.map((url) => html`<link rel="stylesheet" href="${url}">`)}`.toString()
}
