/**
 * Supports sites served below a path, such as https://example.com/docs. All code uses paths from
 * `/`; only this file adds the base path, to the final output. Compiled pages and the search index
 * are therefore the same wherever a site is served.
 */

/** Attributes with one URL of the site, ours and authors'. */
const ADDRESS =
  /(\s(?:href|src|poster|cite|xlink:href|data-url|data-styles|data-module|data-folder)=")(\/(?!\/)[^"]*)/g
/** Attributes with several URLs, or a URL within other text. */
const ADDRESSES = /(\s(?:srcset|style|data-index)=")([^"]*)/g
/** Text is escaped, so `<` starts a tag and `>` ends it. */
const TAG = /<[a-z][^>]*>/gi
/** The stylesheet of one page. */
const STYLE = /(?<=<style\b[^>]*>)[^<]+(?=<\/style>)/gi
const LISTED = /(?<=^|[\s,\uFDD0-\uFDD2])\/(?!\/)[^\s,]*/g
const CSS_URL = /(url\(\s*(?:&quot;|["'])?)(\/(?!\/)[^"')&\s]*)/g
/** Code in Markdown, which is not changed, or the URL of a link. */
const MARKDOWN = /(`{3,})[\s\S]*?\1|`[^`\n]*`|(\]\(<?)(\/(?!\/)[^)>\s]*)/g

export type BasePathInput = {
  /** The base path of this build; empty at the root of a host. */
  readonly path: string
  /**
   * The base path of the site's own URL, which links may contain; a preview is served elsewhere.
   */
  readonly writtenPath?: string
  /**
   * Returns whether the site itself has a page or file at a path that starts with one of the two.
   */
  readonly isOwn?: (address: string) => boolean
  /** `https://example.com`, if known: copied Markdown would otherwise lose its origin. */
  readonly origin?: string | undefined
}

export class BasePath {
  /** `/docs`; empty for a site at the root of its host. */
  readonly path: string
  /** Prefixes that links may have although the site has no such folder. */
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

  /** Returns a path of the site with the base path; other URLs stay unchanged. */
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

  /** Returns an absolute URL for programs, if the origin is known. */
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

/** For sites at the root of a host: changes no URL. */
export const ROOT_PATH = new BasePath({ path: '' })

function trimSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
