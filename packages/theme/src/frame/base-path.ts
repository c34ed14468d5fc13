/**
 * Supports sites served below a path, such as https://example.com/docs. All code uses paths from
 * `/`; only this file adds the base path, to the final output. Compiled pages and the search index
 * are therefore the same wherever a site is served.
 */

/** Matches attributes that contain one URL, both ours and authors'. */
const ADDRESS =
  /(\s(?:href|src|poster|cite|xlink:href|data-url|data-styles|data-module|data-folder|data-tree)=")(\/(?!\/)[^"]*)/g
/** Matches attributes with several URLs, or with a URL within other text. */
const ADDRESSES = /(\s(?:srcset|style|data-index)=")([^"]*)/g
/** Text is escaped, so `<` always starts a tag and `>` ends it. */
const TAG = /<[a-z][^>]*>/gi
/** Matches the content of a style element. */
const STYLE = /(?<=<style\b[^>]*>)[^<]+(?=<\/style>)/gi
const LISTED = /(?<=^|[\s,\uFDD0-\uFDD2])\/(?!\/)[^\s,]*/g
const CSS_URL = /(url\(\s*(?:&quot;|["'])?)(\/(?!\/)[^"')&\s]*)/g
/** Matches code in Markdown, which is not changed, or the URL of a link. */
const MARKDOWN = /(`{3,})[\s\S]*?\1|`[^`\n]*`|(\]\(<?)(\/(?!\/)[^)>\s]*)/g

export type BasePathInput = {
  /** The base path of this build; empty at the root of a host. */
  readonly path: string
  /**
   * The base path of the site's own URL, which links may contain. A preview is served at a
   * different path.
   */
  readonly writtenPath?: string
  /**
   * Returns whether the site has a page or file whose path starts with one of the two base paths.
   */
  readonly isOwn?: (address: string) => boolean
  /**
   * The origin such as `https://example.com`, if known: copied Markdown would otherwise lose it.
   */
  readonly origin?: string | undefined
}

export class BasePath {
  /** A path such as `/docs`; empty for a site at the root of its host. */
  readonly path: string
  /** Prefixes that are removed from links, unless the site has a folder with that name. */
  readonly #prefixes: readonly string[]
  readonly #isOwn: (address: string) => boolean
  readonly #origin: string

  constructor({ path, writtenPath = '', isOwn = () => false, origin = '' }: BasePathInput) {
    this.#origin = origin
    this.path = trimSlash(path)
    this.#prefixes = [trimSlash(writtenPath), this.path].filter((prefix) => prefix !== '')
    this.#isOwn = isOwn
  }

  /** False for a site at the root of its host, whose output is not changed. */
  get isNeeded(): boolean {
    return this.#prefixes.length > 0
  }

  /** Adds the base path to a path of the site; leaves other URLs unchanged. */
  address(url: string): string {
    if (!this.isNeeded || !/^\/(?!\/)/.test(url)) return url
    const bare = url.replace(/[?#].*$/s, '')
    const prefix = this.#prefixes.find((one) => bare === one || bare.startsWith(`${one}/`))
    if (prefix === undefined || this.#isOwn(bare)) return this.path + url
    const rest = url.slice(prefix.length)
    return this.path + (rest.startsWith('/') ? rest : `/${rest}`)
  }

  /** Adds the base path to a known path of the site, such as the source of a redirect. */
  below(path: string): string {
    return this.path === '' ? path : `${this.path}/${path.replace(/^\/+/, '')}`
  }

  /** Returns an absolute URL if the origin is known, for programs that read the page. */
  whole(url: string): string {
    return /^\/(?!\/)/.test(url) ? this.#origin + this.address(url) : url
  }

  html(text: string): string {
    if (!this.isNeeded) return text
    const one = (_: string, before: string, url: string) => before + this.address(url)
    const all = (_: string, before: string, value: string) =>
      before +
      (/style="$/.test(before)
        ? this.css(value)
        : value.replaceAll(LISTED, (url) => this.address(url)))
    return text
      .replaceAll(TAG, (tag) => tag.replaceAll(ADDRESS, one).replaceAll(ADDRESSES, all))
      .replaceAll(STYLE, (css) => this.css(css))
  }

  css(text: string): string {
    if (!this.isNeeded) return text
    return text.replaceAll(CSS_URL, (_, before: string, url: string) => before + this.address(url))
  }

  markdown(text: string): string {
    if (!this.isNeeded && this.#origin === '') return text
    return text.replaceAll(
      MARKDOWN,
      (whole, _, before: string | undefined, url: string | undefined) =>
        before === undefined || url === undefined ? whole : before + this.whole(url),
    )
  }
}

/** The base path of sites at the root of a host. It changes no URL. */
export const ROOT_PATH = new BasePath({ path: '' })

function trimSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
