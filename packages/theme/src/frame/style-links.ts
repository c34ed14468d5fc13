/**
 * The styles of a page: ours for all pages, those it uses, its utility classes, the author's. Always
 * in this order.
 */

import { STYLE_PARTS, type StylePart } from '../looks/style-parts.ts'
import { html } from '../markup/html.ts'
import { utilityStyles } from '../utilities/utility-styles.ts'
import type { FrameAssets } from './frame-input.ts'

export class StyleLinks {
  readonly #assets: FrameAssets
  readonly #preloads: string
  /** Few combinations occur on a site, so each is written once. */
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
    // Few pages have any, and hardly two of them the same.
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
