/** Links and files of pages: does each lead somewhere? */
import type { PageLink } from '@octavo/content'
import { diagnose, didYouMean, type Place, type Report, SourceText } from '@octavo/model'
import { createPageAssets } from '../images/page-assets.ts'
import { isPathLink, resolvePageLink } from '../page-links.ts'
import type { SourceTree } from '../source-tree.ts'
import type { CheckedPage } from './checked-page.ts'
import { NearFiles } from './near-files.ts'
import type { Found, SiteAddresses } from './site-addresses.ts'

export type LinkCheck = {
  readonly addresses: SiteAddresses
  readonly tree: SourceTree
  readonly report: Report
}

/** How far behind the beginning of a tag its address may stand. */
const ADDRESS_DISTANCE_MAX = 2_000
/** Parts that every page has, or that a browser finds by itself. */
const ALWAYS = /^(?:top|:~:.*)?$/

export class LinkChecker {
  readonly #check: LinkCheck
  readonly #sources = new Map<string, SourceText>()
  #files: NearFiles | undefined

  constructor(check: LinkCheck) {
    this.#check = check
  }

  checkPage(page: CheckedPage): void {
    for (const link of page.links) {
      if (link.kind === 'image') this.#checkFile(page, link)
      else this.#checkLink(page, link)
    }
  }

  /** Where the address of a link stands, as exactly as can be told. */
  placeOf({ url, file, offset }: PageLink): Place {
    const source = this.#source(file)
    const tail = source.text.slice(offset, offset + ADDRESS_DISTANCE_MAX)
    return { file, ...source.position(offset + findAddress(tail, url)) }
  }

  textOf(file: string): string {
    return this.#source(file).text
  }

  #checkLink(page: CheckedPage, link: PageLink): void {
    const url = link.url.trim()
    // A reader follows `url`, a template is filled in by whoever copies it.
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url)) return
    const file = page.page.file ?? ''
    const address = isPathLink(url) ? resolvePageLink(url, file) : url
    const [path = '', ...fragments] = address.replace(/\?[^#]*/, '').split('#')
    const fragment = fragments.join('#')
    if (path === '') {
      if (fragment !== '') this.#checkAnchor(link, page, { fragment, on: 'this page' })
      return
    }
    const found = this.#check.addresses.find(path)
    this.#judge(link, { found, path, fragment })
  }

  #judge(
    link: PageLink,
    { found, path, fragment }: { found: Found | undefined; path: string; fragment: string },
  ): void {
    switch (found?.kind) {
      case undefined:
        this.#reportBroken(link, path)
        return
      case 'page':
        if (fragment !== '') this.#checkAnchor(link, found.page, { fragment, on: path })
        return
      case 'redirect':
        this.#checkRedirected(link, found, fragment)
        return
      case 'file':
      case 'elsewhere':
      case 'unknown':
    }
  }

  #reportBroken(link: PageLink, path: string): void {
    const { addresses } = this.#check
    // Many mean the root who leave the slash out.
    const fromRoot = /^[\w-]/.test(link.url) ? `/${link.url}` : ''
    const isMeant = fromRoot !== '' && addresses.find(fromRoot.replace(/[?#].*$/, '')) !== undefined
    const guess = isMeant ? fromRoot : addresses.guess(path)
    this.#check.report({
      ...diagnose('link/broken', this.placeOf(link), {
        message: `There is nothing at \`${path}\`${path === link.url ? '' : `, where \`${link.url}\` leads`}.`,
        hint:
          guess === undefined
            ? 'Correct the link, or add a redirect from that address.'
            : `Did you mean \`${guess}\`?`,
      }),
      ...(isMeant && { fix: { find: link.url, put: fromRoot } }),
    })
  }

  #checkRedirected(
    link: PageLink,
    { destination, target, isAlias }: Extract<Found, { kind: 'redirect' }>,
    fragment: string,
  ): void {
    // A redirect that leads nowhere is reported where it is written.
    if (target?.kind !== 'page' || link.url.includes('?')) return
    const hasOwn = destination.includes('#')
    const anchor = fragment === '' || hasOwn ? '' : `#${fragment}`
    const direct = `${destination}${anchor}`
    if (!isAlias) {
      this.#check.report({
        ...diagnose('link/redirected', this.placeOf(link), {
          message: `\`${link.url}\` leads to \`${direct}\` through a redirect.`,
          hint: `Link to \`${direct}\`. \`octavo check --fix\` does it.`,
        }),
        fix: { find: link.url, put: direct },
      })
    }
    if (anchor !== '') this.#checkAnchor(link, target.page, { fragment, on: destination })
  }

  #checkAnchor(
    link: PageLink,
    target: CheckedPage,
    { fragment, on }: { readonly fragment: string; readonly on: string },
  ): void {
    const { ids, isOpen, failed } = target
    if (isOpen || failed || ALWAYS.test(fragment)) return
    const wanted = decode(fragment)
    if (ids.has(wanted) || ids.has(fragment)) return
    // Other tools write the same heading with other signs between its words.
    const meant = [...ids].filter((id) => bareId(id) === bareId(wanted))
    const [only = ''] = meant
    const fix = { find: link.url, put: link.url.replace(`#${fragment}`, `#${only}`) }
    this.#check.report({
      ...diagnose('link/anchor', this.placeOf(link), {
        message: `${on === 'this page' ? 'This page' : `The page \`${on}\``} has no part \`#${wanted}\`; the link leads to its beginning.`,
        hint:
          meant.length === 1
            ? `It is called \`#${only}\` here. \`octavo check --fix\` writes that.`
            : didYouMean(wanted, ids, 'Take the id of one of its headings or components.'),
      }),
      ...(meant.length === 1 && { fix }),
    })
  }

  #checkFile(page: CheckedPage, link: PageLink): void {
    const url = link.url.trim()
    if (!isPathLink(url)) return
    const { addresses, tree } = this.#check
    const { looked, resolveAsset } = createPageAssets(page.page.file ?? '', (path) => ({
      isThere: addresses.hasFile(path),
      size: undefined,
    }))
    resolveAsset(url)
    if ([...looked].some((path) => addresses.hasFile(path))) return
    const [path = url] = looked
    this.#files ??= new NearFiles(tree.files)
    const isThere = this.#files.has(path)
    this.#check.report(
      diagnose('link/missing-file', this.placeOf(link), {
        message: isThere
          ? `\`${path}\` is of a kind that is not served, so nothing is shown.`
          : `There is no file \`${path}\`, so nothing is shown.`,
        hint: isThere
          ? 'Use an image, a video or another file that is listed in the reference.'
          : didYouMean(path, this.#files.near(path), 'Add the file, or correct the path.'),
      }),
    )
  }

  #source(file: string): SourceText {
    const known = this.#sources.get(file)
    if (known !== undefined) return known
    const source = new SourceText(file, this.#check.tree.read(file) ?? '')
    this.#sources.set(file, source)
    return source
  }
}

/** Where an address begins in a link or a tag that starts the text; 0 where it is not written out. */
export function findAddress(text: string, url: string): number {
  if (url === '') return 0
  for (let at = text.indexOf(url); at >= 0; at = text.indexOf(url, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.charAt(at + url.length)
    if (/(?:\]\(|\(<|=["']|\{["'`]|:[ <]|<)$/.test(before) && /^[)"'`>\s]?$/.test(after)) return at
  }
  return 0
}

/** The words of an id alone. */
function bareId(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
