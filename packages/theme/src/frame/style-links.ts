/** The stylesheets of a page: ours for all pages, those it uses, the author's. Always in this order. */
import { html } from '../html.ts'
import { STYLE_PARTS, type StylePart } from '../styles.ts'
import type { FrameAssets } from './frame-input.ts'

export class StyleLinks {
  readonly #assets: FrameAssets
  readonly #preloads: string
  /** Few combinations occur on a site, so each is written once. */
  readonly #known = new Map<number, string>()

  constructor(assets: FrameAssets, fontUrls: readonly string[]) {
    this.#assets = assets
    const preloads = fontUrls.map(
      (url) => html`<link rel="preload" href="${url}" as="font" crossorigin>`,
    )
    this.#preloads = html`${preloads}`.toString()
  }

  render(parts: readonly StylePart[]): string {
    let mask = 0
    for (const part of parts) mask |= 1 << STYLE_PARTS.indexOf(part)
    const known = this.#known.get(mask)
    if (known !== undefined) return known
    const { styles, parts: urls, authorStyles } = this.#assets
    const used = STYLE_PARTS.filter((_, index) => (mask & (1 << index)) !== 0)
    const own = used.map((part) => urls[part]).filter((url) => url !== undefined)
    const links = [...styles, ...own, ...authorStyles].map(
      (url) => html`<link rel="stylesheet" href="${url}">`,
    )
    const written = `${this.#preloads}${html`${links}`}`
    this.#known.set(mask, written)
    return written
  }
}
