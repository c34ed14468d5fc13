/** Links and files of pages: does each lead somewhere? */
import { ADDRESS_DISTANCE_MAX, type PageLink } from '@octavo/content'
import {
  type Diagnostic,
  diagnose,
  didYouMean,
  joinPath,
  type Place,
  type Report,
  SourceText,
} from '@octavo/model'
import { bareId, withoutAlternatives } from '@octavo/theme'
import { createPageAssets } from '../compile/page-assets.ts'
import { findAddress, isPathLink, resolvePageLink } from '../compile/page-links.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { CheckedPage } from './checked-page.ts'
import { NearFiles } from './near-files.ts'
import { CORRECT_LINK, type Found, type SiteAddresses } from './site-addresses.ts'

export type LinkCheck = {
  readonly addresses: SiteAddresses
  readonly tree: SourceTree
  readonly report: Report
}

/** Where a link of a page leads. */
type Target = { readonly page: CheckedPage; readonly path: string; readonly fragment: string }

/** Parts that every page has, or that a browser finds by itself. */
const ALWAYS = /^(?:top|:~:.*)?$/

/** Folders of a language, and of a version. */
const DIVISIONS = [/^[a-z]{2}(?:-[a-z]{2,4})?$/i, /^v?\d[\w.-]*$/i]

export class LinkChecker {
  readonly #check: LinkCheck
  readonly #sources = new Map<string, SourceText>()
  readonly #reported = new Set<string>()
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
    return { file, ...source.position(this.#addressOffset({ url, file, offset })) }
  }

  /** Specifications are mostly written by other tools, so nothing is changed in them. */
  #isOfSpecification({ file }: PageLink): boolean {
    return this.#check.addresses.specificationText(file) !== undefined
  }

  /** False where a component got the address from elsewhere. */
  #canFix(link: PageLink): boolean {
    if (this.#isOfSpecification(link)) return false
    return this.#source(link.file).text.startsWith(link.url, this.#addressOffset(link))
  }

  #addressOffset({ url, file, offset }: Omit<PageLink, 'kind'>): number {
    const { text } = this.#source(file)
    return offset + findAddress(text.slice(offset, offset + ADDRESS_DISTANCE_MAX), url)
  }

  textOf(file: string): string {
    return this.#source(file).text
  }

  #checkLink(page: CheckedPage, link: PageLink): void {
    const target = targetOfLink(link.url, page.page.file ?? page.page.path)
    if (target === undefined) return
    const { path, fragment } = target
    if (path === '') {
      // Who reads the specification does not know which page is meant.
      const on = this.#isOfSpecification(link) ? page.page.url : 'this page'
      if (fragment !== '') this.#checkAnchor(link, page, { fragment, on })
      return
    }
    const found = this.#check.addresses.find(path)
    this.#judge(link, { page, found, path, fragment })
  }

  #judge(
    link: PageLink,
    { page, found, path, fragment }: Target & { readonly found: Found | undefined },
  ): void {
    switch (found?.kind) {
      case undefined:
        this.#reportBroken(link, path, page)
        return
      case 'page':
        if (fragment !== '') this.#checkAnchor(link, found.page, { fragment, on: path })
        return
      case 'redirect':
        this.#checkRedirected(link, found, { page, path, fragment })
        return
      case 'file':
      case 'elsewhere':
      case 'unknown':
    }
  }

  #reportBroken(link: PageLink, path: string, { page }: CheckedPage): void {
    const { addresses } = this.#check
    if (leavesFolder(link.url, page.file ?? page.path)) {
      const message = `Broken link: \`${link.url}\` points outside the documentation folder.`
      const hint = 'Link to its URL on the web.'
      this.#report(link, diagnose('link/broken', this.placeOf(link), { message, hint }))
      return
    }
    // Many mean the root who leave the slash out.
    const fromRoot = /^[\w-]/.test(link.url) ? `/${link.url}` : ''
    const isMeant = fromRoot !== '' && addresses.find(fromRoot.replace(/[?#].*$/, '')) !== undefined
    this.#report(link, {
      ...diagnose('link/broken', this.placeOf(link), {
        message: `Broken link: \`${path}\` does not exist${path === link.url ? '' : ` (written as \`${link.url}\`)`}.`,
        hint: isMeant
          ? `Did you mean \`${fromRoot}\`?`
          : addresses.hintFor(path, { from: page.url, otherwise: CORRECT_LINK }),
      }),
      ...(isMeant && !this.#isOfSpecification(link) && { fix: { find: link.url, put: fromRoot } }),
    })
  }

  #checkRedirected(
    link: PageLink,
    { destination, target, isAlias }: Extract<Found, { kind: 'redirect' }>,
    { page, fragment }: Target,
  ): void {
    // A redirect that leads nowhere is reported where it is written.
    if (target?.kind !== 'page' || link.url.includes('?')) return
    const hasOwn = destination.includes('#')
    const anchor = fragment === '' || hasOwn ? '' : `#${fragment}`
    // Who corrects the part looks at the address as well.
    const on = destination
    if (anchor !== '' && !this.#checkAnchor(link, target.page, { fragment, on })) return
    if (isAlias) return
    const direct = `${destination}${anchor}`
    const place = this.placeOf(link)
    if (target.page === page) {
      const message = `\`${link.url}\` redirects back to this page.`
      const part = direct.includes('#') ? direct.slice(direct.indexOf('#')) : ''
      const hint =
        part === '' ? 'Link to the intended page, or remove the link.' : `Link to \`${part}\`.`
      this.#report(link, diagnose('link/redirected', place, { message, hint }))
      return
    }
    const near = this.#besidePage(direct, page)
    const message = `\`${link.url}\` redirects to \`${direct}\`.`
    // A snippet is read from many pages, of all versions and languages.
    const canFix = near === undefined && link.file === page.page.file && this.#canFix(link)
    const hint = `Link to \`${near ?? direct}\`.${canFix ? ' `octavo check --fix` can do it.' : ''}`
    this.#report(link, {
      ...diagnose('link/redirected', place, { message, hint }),
      ...(canFix && { fix: { find: link.url, put: direct } }),
    })
  }

  /** The page of the same name in the language or version of the page that links to it. */
  #besidePage(address: string, { page }: CheckedPage): string | undefined {
    const here = page.url.split('/')
    const there = address.split('/')
    const at = here.findIndex((segment, index) => segment !== there[index])
    const own = here[at] ?? ''
    const tries = there.flatMap((segment, index) => {
      const kind = DIVISIONS.find((division) => division.test(segment))
      const ours = kind && here.find((other) => kind.test(other))
      return ours === undefined || ours === segment ? [] : [there.with(index, ours)]
    })
    // Below the first level folders are often parts of one thing, and not the same again.
    const isDivision = at === 1 || DIVISIONS.some((division) => division.test(own))
    if (own !== '' && isDivision) {
      const above = here.slice(0, at)
      const rest = there.slice(at + 1)
      if (rest.length > 0) tries.push([...above, own, ...rest])
      // The main language often has no folder of its own.
      tries.push([...above, own, ...there.slice(at)])
    }
    return tries
      .map((segments) => segments.join('/'))
      .find((near) => {
        const [path = ''] = near.split('#')
        return path !== page.url && this.#check.addresses.find(path)?.kind === 'page'
      })
  }

  /** True when the part is there, or nobody can tell. */
  #checkAnchor(
    link: PageLink,
    target: CheckedPage,
    { fragment, on }: { readonly fragment: string; readonly on: string },
  ): boolean {
    const wanted = decode(fragment)
    if (ALWAYS.test(fragment) || target.ids.has(fragment) || hasPart(target, wanted)) return true
    const { ids } = target
    // Other tools write the same heading with other signs between its words.
    const meant = [...ids].find((id) => bareId(id) === bareId(wanted))
    const place = this.placeOf(link)
    const owner = on === 'this page' ? 'This page' : `The page \`${on}\``
    if (meant === undefined) {
      const message = `${owner} has no anchor \`#${wanted}\`; the link opens the top of the page.`
      const hint = hintForPart(wanted, ids)
      this.#report(link, diagnose('link/anchor', place, { message, hint }))
      return false
    }
    // Pages find it in the browser: see `followOldAddress`.
    const canFix = this.#canFix(link)
    this.#report(link, {
      ...diagnose('link/anchor-spelling', place, {
        message: `${owner} has no anchor \`#${wanted}\`; with JavaScript, the link opens \`#${meant}\`.`,
        hint: `Link to \`#${meant}\`.${canFix ? ' `octavo check --fix` can do it.' : ''}`,
      }),
      ...(canFix && {
        fix: { find: link.url, put: link.url.replace(`#${fragment}`, `#${meant}`) },
      }),
    })
    return false
  }

  #checkFile(page: CheckedPage, link: PageLink): void {
    const url = link.url.trim()
    if (!isPathLink(url)) return
    const { addresses, tree } = this.#check
    const { looked, resolveAsset } = createPageAssets(page.page.file ?? page.page.path, (path) => ({
      isThere: addresses.hasFile(path),
      size: undefined,
    }))
    resolveAsset(url)
    if ([...looked].some((path) => addresses.hasFile(path))) return
    const [path = url] = looked
    this.#files ??= new NearFiles(tree.files)
    const isThere = this.#files.has(path)
    this.#report(
      link,
      diagnose('link/missing-file', this.placeOf(link), {
        message: isThere
          ? `\`${path}\` has a file type that is not served, so nothing is shown.`
          : `The file \`${path}\` does not exist, so nothing is shown.`,
        hint: isThere
          ? 'Use an image, a video or another file type that is listed in the reference.'
          : didYouMean(path, this.#files.near(path), 'Add the file, or correct the path.'),
      }),
    )
  }

  /** A link of a snippet is judged on each page that shows it, and told of once. */
  #report(link: PageLink, diagnostic: Diagnostic): void {
    const { line, column } = diagnostic.place
    const key = `${diagnostic.code} ${link.file}:${line}:${column} ${link.url}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#check.report(diagnostic)
  }

  #source(file: string): SourceText {
    const known = this.#sources.get(file)
    if (known !== undefined) return known
    const { addresses, tree } = this.#check
    const text = addresses.specificationText(file) ?? tree.read(file) ?? ''
    const source = new SourceText(file, text)
    this.#sources.set(file, source)
    return source
  }
}

/** The path and the part that a link of a file leads to; nothing when it leaves the site. */
export function targetOfLink(
  written: string,
  file: string,
): { readonly path: string; readonly fragment: string } | undefined {
  const url = written.trim()
  // A reader follows `url`, a template is filled in by whoever copies it.
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url)) return undefined
  const address = isPathLink(url) ? resolvePageLink(url, file) : url
  const [path = '', ...fragments] = address.replace(/\?[^#]*/, '').split('#')
  return { path, fragment: fragments.join('#') }
}

/** Whether a link to it arrives; also where nobody can tell. */
function hasPart({ ids, hasUnknownIds, failed, page }: CheckedPage, wanted: string): boolean {
  if (hasUnknownIds || failed || ids.has(wanted)) return true
  // The title stands at the beginning, which is where such a link leads.
  if (bareId(wanted) === bareId(page.title)) return true
  if (page.backing === undefined) return false
  // Fields of an operation have the names that other tools give them as well.
  const field = bareId(withoutAlternatives(wanted))
  return [...ids].some((id) => bareId(id) === field)
}

/** The one that says more than was asked for, or else the nearest. */
function hintForPart(wanted: string, ids: ReadonlySet<string>): string {
  const longer = [...ids].filter((id) => id.startsWith(`${wanted}-`))
  const [only] = longer
  if (only !== undefined && longer.length === 1) return `Did you mean \`#${only}\`?`
  const parts = [...ids].map((id) => `#${id}`)
  return didYouMean(`#${wanted}`, parts, 'Use the id of one of its headings or components.')
}

/** `../README.md` on a page at the top. */
function leavesFolder(url: string, file: string): boolean {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')))
  return !url.startsWith('/') && joinPath(folder, url.replace(/[?#].*$/s, '')) === undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
