/**
 * Sites that are served below a path, such as https://example.com/docs. Everything works with
 * addresses from `/`; only what leaves for the output gets the path before them, here and nowhere
 * else. Compiled pages and the search index are therefore the same wherever a site is served.
 */

/** Attributes that hold an address of the site, ours and authors'. */
const ADDRESS =
  /(\s(?:href|src|poster|cite|xlink:href|data-url|data-styles|data-module|data-folder)=")(\/(?!\/)[^"]*)/g
/** Several addresses, or one among other text. */
const ADDRESSES = /(\s(?:srcset|style|data-index)=")([^"]*)/g
/** Texts are escaped, so `<` begins a tag and `>` ends it. */
const TAG = /<[a-z][^>]*>/gi
/** The stylesheet of one page. */
const STYLE = /(?<=<style\b[^>]*>)[^<]+(?=<\/style>)/gi
const LISTED = /(?<=^|[\s,\uFDD0-\uFDD2])\/(?!\/)[^\s,]*/g
const CSS_URL = /(url\(\s*(?:&quot;|["'])?)(\/(?!\/)[^"')&\s]*)/g
/** Code of a Markdown text, which stays as it is, or the address of a link. */
const MARKDOWN = /(`{3,})[\s\S]*?\1|`[^`\n]*`|(\]\(<?)(\/(?!\/)[^)>\s]*)/g

export type BasePathInput = {
  /** Where this build is served; empty at the root of a host. */
  readonly path: string
  /** The path of the site's own address, which links may have too; a preview is served elsewhere. */
  readonly writtenPath?: string
  /** Tells whether the site itself has something at an address that begins like one of the two. */
  readonly isOwn?: (address: string) => boolean
  /** `https://example.com`, if it is known: programs that copy Markdown lose where it was from. */
  readonly origin?: string | undefined
}

export class BasePath {
  /** `/docs`; empty for a site at the root of its host. */
  readonly path: string
  /** What links may begin with although the site has no such folder. */
  readonly #prefixes: readonly string[]
  readonly #isOwn: (address: string) => boolean
  readonly #origin: string

  constructor({ path, writtenPath = '', isOwn = () => false, origin = '' }: BasePathInput) {
    this.#origin = origin
    this.path = trimSlash(path)
    this.#prefixes = [trimSlash(writtenPath), this.path].filter((prefix) => prefix !== '')
    this.#isOwn = isOwn
  }

  /** False for a site at the root of its host: then nothing is changed. */
  get isNeeded(): boolean {
    return this.#prefixes.length > 0
  }

  /** An address of the site as browsers ask for it; others stay as they are. */
  address(url: string): string {
    if (!this.isNeeded || !/^\/(?!\/)/.test(url)) return url
    const bare = url.replace(/[?#].*$/s, '')
    const prefix = this.#prefixes.find((one) => bare === one || bare.startsWith(`${one}/`))
    if (prefix === undefined || this.#isOwn(bare)) return this.path + url
    const rest = url.slice(prefix.length)
    return this.path + (rest.startsWith('/') ? rest : `/${rest}`)
  }

  /** A path of the site that is known to be one, such as the source of a redirect. */
  below(path: string): string {
    return this.path === '' ? path : `${this.path}/${path.replace(/^\/+/, '')}`
  }

  /** An address of the site as programs shall know it: whole, if the site knows where it is. */
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

/** At the root of a host: nothing is changed. */
export const ROOT_PATH = new BasePath({ path: '' })

function trimSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
