/**
 * Renders icons in the text of a page. The first use on the page contains the drawing; later uses
 * refer to it.
 */
import type { Data } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import { creditOf } from './icon-credits.ts'
import type { IconLibrary } from './icon-library.ts'
import { type IconPicture, readPicture } from './icon-picture.ts'
import type { IconSymbol } from './icon-set.ts'
import type { IconHint } from './parse-icon-name.ts'

/** Display options of one icon. All values are untrusted text from authors. */
export type IconLook = IconHint & {
  readonly color?: string | undefined
  /** The size in pixels. */
  readonly size?: number | undefined
  readonly className?: string | undefined
  /** CSS declarations that `content` has already checked. */
  readonly style?: string | undefined
}

export type PageIconsInput = {
  readonly library: IconLibrary | undefined
  /** Returns the URL of an image; undefined if it is unsafe. */
  readonly assetUrl: (url: string) => string | undefined
  readonly onMissing: ((name: string, hint: IconHint) => void) | undefined
}

const SIZE_MAX = 512
/** The size of an icon before the stylesheet has loaded. */
const SIZE = 16

export class PageIcons {
  readonly #input: PageIconsInput
  readonly #drawn = new Set<string>()
  readonly #credited = new Set<string>()
  #alone = 0

  constructor(input: PageIconsInput) {
    this.#input = input
  }

  /** Returns markup, or an empty string if there is no icon to show. */
  render(icon: Data | undefined, look: IconLook = {}): string {
    if (typeof icon === 'object' && icon !== null && !Array.isArray(icon)) {
      const { name, style, library } = icon as { readonly [key: string]: Data }
      const type = textOf(style) ?? look.type
      return this.render(textOf(name), { ...look, type, library: textOf(library) ?? look.library })
    }
    if (typeof icon !== 'string' || icon.trim() === '') return ''
    const picture = readPicture(icon)
    if (picture !== undefined) return this.#picture(picture, look)
    const { library, onMissing } = this.#input
    if (library === undefined) return ''
    const symbol = library.find(icon, look)
    if (symbol !== undefined) return this.#symbol(symbol, look)
    onMissing?.(icon, { type: look.type, library: look.library })
    return ''
  }

  /**
   * Makes the icons that the callback writes self-contained, since the browser may move or replace
   * them.
   */
  apart(write: () => void): void {
    this.#alone += 1
    write()
    this.#alone -= 1
  }

  #symbol({ id, viewBox, body }: IconSymbol, look: IconLook): string {
    const start = `<svg${attributes(look)} viewBox="${viewBox}"${this.#credit(id)}>`
    if (this.#alone > 0) return `${start}${body}</svg>`
    // The ID of a heading never contains a colon, so it cannot conflict with this ID.
    const name = escapeHtml(`icon:${id}`)
    if (this.#drawn.has(id)) return `${start}<use href="#${name}"/></svg>`
    this.#drawn.add(id)
    return `${start}${withId(body, name)}</svg>`
  }

  /** Returns the attribution of a library when its first icon is written on the page. */
  #credit(id: string): string {
    const credit = creditOf(id)
    if (this.#credited.has(credit)) return ''
    this.#credited.add(credit)
    return ` data-credit="${escapeHtml(credit)}"`
  }

  #picture(picture: IconPicture, look: IconLook): string {
    if (picture.kind === 'text') {
      return `<span class="oct-icon oct-emoji" aria-hidden="true">${escapeHtml(picture.text)}</span>`
    }
    if (picture.kind === 'file') {
      const url = this.#input.assetUrl(picture.url)
      if (url === undefined) return ''
      return `<img${attributes(look)} src="${escapeHtml(url)}" alt="" loading="lazy">`
    }
    return drawing(picture.url, picture.takesColor, look)
  }
}

/** Renders a drawing as an image, or as a mask if it takes the text color. */
export function drawing(url: string, takesColor: boolean, look: IconLook = {}): string {
  if (!takesColor) return `<img${attributes(look)} src="${escapeHtml(url)}" alt="">`
  const mask = `--oct-mask:url(&quot;${escapeHtml(url)}&quot;)`
  const className = `oct-mask ${look.className ?? ''}`.trim()
  return `<span${attributes({ ...look, className }, mask)}></span>`
}

/** Adds an ID to the drawing: to the path itself if there is only one. */
function withId(body: string, id: string): string {
  const isOne = /^<path [^>]*\/>$/.test(body)
  return isOne ? `<path id="${id}"${body.slice(5)}` : `<g id="${id}">${body}</g>`
}

function attributes({ color, size, className, style }: IconLook, more = ''): string {
  const pixels = Math.min(SIZE_MAX, Math.round(size ?? SIZE))
  const isSized = size !== undefined && pixels > 0
  const declarations = [
    isSized ? `width:${pixels}px;height:${pixels}px` : '',
    color !== undefined && isColor(color) ? `color:${color.trim()}` : '',
    style === undefined ? '' : escapeHtml(style),
    more,
  ].filter((text) => text !== '')
  const classes = className === undefined ? '' : ` ${escapeHtml(className)}`
  const looks = declarations.length === 0 ? '' : ` style="${declarations.join(';')}"`
  const side = isSized ? pixels : SIZE
  return ` class="oct-icon${classes}" width="${side}" height="${side}" aria-hidden="true"${looks}`
}

const COLOR =
  /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z-]{1,60}\)|var\(--[\w-]{1,60}\))$/i

function isColor(text: string): boolean {
  return COLOR.test(text.trim())
}

function textOf(value: Data | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
