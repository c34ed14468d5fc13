/** Checks that the targets of links and the files that pages name exist. */
import { ADDRESS_DISTANCE_MAX, type PageLink } from '@octavo/content'
import {
  correctionOf,
  type Diagnostic,
  diagnose,
  didYouMean,
  type Fix,
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

/** The page of a link, with the path and fragment of the link's target. */
type Target = { readonly page: CheckedPage; readonly path: string; readonly fragment: string }

/** Matches fragments that every page has or that the browser resolves without an element. */
const ALWAYS = /^(?:top|:~:.*)?$/

/** Patterns for the folder names of languages and versions. */
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

  /** Returns the place of a link's address, as precisely as possible. */
  placeOf({ url, file, offset }: PageLink): Place {
    const source = this.#source(file)
    return { file, ...source.position(this.#addressOffset({ url, file, offset })) }
  }

  /**
   * Checks whether a link is in a specification. These links are never fixed, because other tools
   * generate most specifications.
   */
  #isOfSpecification({ file }: PageLink): boolean {
    return this.#check.addresses.specificationText(file) !== undefined
  }

  /**
   * Returns false if the file does not contain the address literally, e.g. because a component
   * computes it.
   */
  #canFix(link: PageLink): boolean {
    if (this.#isOfSpecification(link)) return false
    return this.#source(link.file).text.startsWith(link.url, this.#addressOffset(link))
  }

  /** Returns a fix that replaces the address of a link. */
  #correct(link: PageLink, put: string | undefined): Fix | undefined {
    return put === undefined || !this.#canFix(link) ? undefined : { find: link.url, put }
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
      // "This page" would be unclear to the author of a specification, so its URL is used.
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
      const hint = 'Link to the URL of the target on the web.'
      this.#report(link, diagnose('link/broken', this.placeOf(link), { message, hint }))
      return
    }
    // Authors often omit the leading slash.
    const fromRoot = /^[\w-]/.test(link.url) ? `/${link.url}` : ''
    const isFromRoot =
      fromRoot !== '' && addresses.find(fromRoot.replace(/[?#].*$/, '')) !== undefined
    const { hint, correction } = isFromRoot
      ? { hint: `Did you mean \`${fromRoot}\`?`, correction: fromRoot }
      : addresses.adviceFor(path, { from: page.url, otherwise: CORRECT_LINK })
    const rest = isFromRoot ? '' : (/[?#].*$/s.exec(link.url)?.[0] ?? '')
    this.#report(
      link,
      diagnose('link/broken', this.placeOf(link), {
        message: `Broken link: \`${path}\` does not exist${path === link.url ? '' : ` (written as \`${link.url}\`)`}.`,
        hint,
        fix: this.#correct(link, correction && `${correction}${rest}`),
      }),
    )
  }

  #checkRedirected(
    link: PageLink,
    { destination, target, isAlias }: Extract<Found, { kind: 'redirect' }>,
    { page, fragment }: Target,
  ): void {
    // Broken redirects are reported where they are defined.
    if (target?.kind !== 'page' || link.url.includes('?')) return
    const hasOwn = destination.includes('#')
    const anchor = fragment === '' || hasOwn ? '' : `#${fragment}`
    // The message names the final address, so that a fix of the fragment can also replace the
    // address.
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
      const fix = part === '' ? undefined : this.#correct(link, part)
      this.#report(link, diagnose('link/redirected', place, { message, hint, fix }))
      return
    }
    const near = this.#findInOwnDivision(direct, page)
    const message = `\`${link.url}\` redirects to \`${direct}\`.`
    // A link in a snippet is not fixed, since pages of several versions and languages may show it.
    const canFix = near === undefined && link.file === page.page.file && this.#canFix(link)
    const hint = `Link to \`${near ?? direct}\`.${canFix ? ' `octavo check --fix` can fix it.' : ''}`
    this.#report(link, {
      ...diagnose('link/redirected', place, { message, hint }),
      ...(canFix && { fix: { find: link.url, put: direct } }),
    })
  }

  /** Returns the page with the same name in the language or version of the linking page. */
  #findInOwnDivision(address: string, { page }: CheckedPage): string | undefined {
    const here = page.url.split('/')
    const there = address.split('/')
    const at = here.findIndex((segment, index) => segment !== there[index])
    const own = here[at] ?? ''
    const candidates = there.flatMap((segment, index) => {
      const kind = DIVISIONS.find((division) => division.test(segment))
      const ours = kind && here.find((other) => kind.test(other))
      return ours === undefined || ours === segment ? [] : [there.with(index, ours)]
    })
    // Below the first level, sibling folders are often different topics and not translations.
    const isDivision = at === 1 || DIVISIONS.some((division) => division.test(own))
    if (own !== '' && isDivision) {
      const above = here.slice(0, at)
      const rest = there.slice(at + 1)
      if (rest.length > 0) candidates.push([...above, own, ...rest])
      // The main language often has no folder of its own.
      candidates.push([...above, own, ...there.slice(at)])
    }
    return candidates
      .map((segments) => segments.join('/'))
      .find((near) => {
        const [path = ''] = near.split('#')
        return path !== page.url && this.#check.addresses.find(path)?.kind === 'page'
      })
  }

  /**
   * Reports a link whose fragment does not exist. Returns true if it exists or cannot be checked.
   */
  #checkAnchor(
    link: PageLink,
    target: CheckedPage,
    { fragment, on }: { readonly fragment: string; readonly on: string },
  ): boolean {
    const wanted = decode(fragment)
    if (ALWAYS.test(fragment) || target.ids.has(fragment) || hasFragment(target, wanted))
      return true
    const { ids } = target
    // Other tools use different characters to separate the words of a heading.
    const meant = [...ids].find((id) => bareId(id) === bareId(wanted))
    const place = this.placeOf(link)
    const owner = on === 'this page' ? 'This page' : `The page \`${on}\``
    if (meant === undefined) {
      const message = `${owner} has no anchor \`#${wanted}\`, so the link opens the top of the page.`
      const hint = hintForFragment(wanted, ids)
      const exact = correctionOf(wanted, ids)
      const fix = this.#correct(link, exact && link.url.replace(`#${fragment}`, `#${exact}`))
      this.#report(link, diagnose('link/anchor', place, { message, hint, fix }))
      return false
    }
    // The page itself resolves such fragments in the browser: see `redirectOldFragment`.
    const canFix = this.#canFix(link)
    this.#report(link, {
      ...diagnose('link/anchor-spelling', place, {
        message: `${owner} has no anchor \`#${wanted}\`; with JavaScript, the link opens \`#${meant}\`.`,
        hint: `Link to \`#${meant}\`.${canFix ? ' `octavo check --fix` can fix it.' : ''}`,
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
      exists: addresses.hasFile(path),
      size: undefined,
    }))
    resolveAsset(url)
    if ([...looked].some((path) => addresses.hasFile(path))) return
    const [path = url] = looked
    this.#files ??= new NearFiles(tree.files)
    const exists = this.#files.has(path)
    const near = this.#files.near(path)
    this.#report(
      link,
      diagnose('link/missing-file', this.placeOf(link), {
        message: exists
          ? `\`${path}\` has a file type that is not served, so nothing is shown.`
          : `The file \`${path}\` does not exist, so nothing is shown.`,
        hint: exists
          ? 'Use an image, a video or another file type that is listed in the reference.'
          : didYouMean(path, near, 'Add the file, or correct the path.'),
        fix: this.#correct(link, correctFile(url, path, correctionOf(path, near))),
      }),
    )
  }

  /**
   * Reports a link in a snippet only once, although it is checked on every page that includes the
   * snippet.
   */
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

/** Returns the path and fragment of a link, or undefined if the link leads to another site. */
export function targetOfLink(
  written: string,
  file: string,
): { readonly path: string; readonly fragment: string } | undefined {
  const url = written.trim()
  // Links with a scheme or a host lead to other sites.
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(url)) return undefined
  const address = isPathLink(url) ? resolvePageLink(url, file) : url
  const [path = '', ...fragments] = address.replace(/\?[^#]*/, '').split('#')
  return { path, fragment: fragments.join('#') }
}

/** Returns true if a link to the fragment works or cannot be checked. */
function hasFragment({ ids, hasUnknownIds, failed, page }: CheckedPage, wanted: string): boolean {
  if (hasUnknownIds || failed || ids.has(wanted)) return true
  // A link to the page title opens the top of the page, where the title is.
  if (bareId(wanted) === bareId(page.title)) return true
  if (page.backing === undefined) return false
  // Fields of an operation can also be linked by the ids that other tools generate.
  const field = bareId(withoutAlternatives(wanted))
  return [...ids].some((id) => bareId(id) === field)
}

/** Suggests the only id that starts with the wanted one, or else the most similar id. */
function hintForFragment(wanted: string, ids: ReadonlySet<string>): string {
  const longer = [...ids].filter((id) => id.startsWith(`${wanted}-`))
  const [only] = longer
  if (only !== undefined && longer.length === 1) return `Did you mean \`#${only}\`?`
  const parts = [...ids].map((id) => `#${id}`)
  return didYouMean(`#${wanted}`, parts, 'Use the id of a heading or component on that page.')
}

/** Returns the address with the name of another file in the same folder. */
function correctFile(url: string, path: string, file: string | undefined): string | undefined {
  const at = path.lastIndexOf('/') + 1
  const name = path.slice(at)
  if (file?.slice(0, at) !== path.slice(0, at) || !url.endsWith(name)) return undefined
  return `${url.slice(0, -name.length)}${file.slice(at)}`
}

/**
 * Returns true if an address is outside the folder, such as `../README.md` on a page in the root
 * folder.
 */
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
