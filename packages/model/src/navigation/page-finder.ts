import { type DiagnosticText, diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOf } from '../json/json-node.ts'
import { pagePathOfUrl, pageUrl } from '../routes/page-path.ts'
import type { RedirectTable } from '../routes/redirects.ts'
import { correctValue } from '../schema/schema.ts'
import { correctionOf, isTypoOf, nearest } from '../text/nearest.ts'
import { parseLanguage } from './languages.ts'
import type { KnownPage, PageIndex } from './site-facts.ts'

type MissingCheck = {
  /** Checks whether a page is listed. Only valid after the whole navigation has been resolved. */
  readonly isListed: (path: string) => boolean
  readonly redirects: RedirectTable
  readonly report: Report
}

/**
 * Finds the file of a listed page. If there is no file, suggests the page that the author probably
 * meant.
 */
export class PageFinder {
  readonly #pages: PageIndex
  #byName: Map<string, string[]> | undefined

  constructor(pages: PageIndex) {
    this.#pages = pages
  }

  /** Returns the page with a path, or else the page `<path>/index`. */
  find(path: string): KnownPage | undefined {
    return this.#pages.get(path) ?? this.#pages.get(`${path}/index`)
  }

  reportMissing(path: string, node: JsonNode, check: MissingCheck): void {
    // Some authors write dots as a placeholder for pages that they want to list later.
    const isGap = /^[.…]+$/.test(path)
    const files = isGap ? '' : `: there is no ${path}.mdx or ${path}.md`
    check.report(
      diagnose('nav/missing-page', placeOf(node), {
        message: `The page "${path}" does not exist${files}.`,
        ...(isGap
          ? { hint: 'List the actual pages here, or remove the placeholder.' }
          : this.#advise(path, node, check)),
      }),
    )
  }

  #advise(path: string, node: JsonNode, check: MissingCheck): Pick<DiagnosticText, 'hint' | 'fix'> {
    const { isListed, redirects } = check
    const moved = redirects.match(pageUrl(path))?.destination
    if (moved === undefined) {
      const guess = this.#guess(path, isListed)
      if (guess === undefined) return { hint: 'Add the file, or remove the entry.' }
      const isExact = node.type === 'string' && correctionOf(path, this.#pages.keys()) === guess
      const fix = isExact ? correctValue(node, guess) : undefined
      return { hint: `Did you mean \`${guess}\`?`, fix }
    }
    const target = pagePathOfUrl(moved.replace(/[?#].*$/s, ''))
    const isUnlisted = target !== undefined && this.#pages.has(target) && !isListed(target)
    const rest = isUnlisted ? `List \`${target}\`, or remove the entry.` : 'Remove the entry.'
    return { hint: `There is a redirect from it to "${moved}". ${rest}` }
  }

  /**
   * Suggests a page with the same name in another folder, or a page with a similar name in the same
   * folder. The maps keep this fast on a large site.
   */
  #guess(path: string, isListed: (path: string) => boolean): string | undefined {
    this.#byName ??= groupByName(this.#pages.keys())
    // Pages in another language and pages that are already listed are not suggested.
    const language = languageOf(path)
    const isFree = (known: string): boolean =>
      !isListed(known) && (language === undefined || languageOf(known) === language)
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    const sameName = (this.#byName.get(`name:${name}`) ?? []).filter(isFree)
    const ends = sameName.find((known) => known.toLowerCase() === path.toLowerCase())
    const longer = sameName.find(
      (known) => known.endsWith(`/${path}`) || path.endsWith(`/${known}`),
    )
    if (ends !== undefined || longer !== undefined) return ends ?? longer
    if (sameName.length === 1) return sameName[0]
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const beside = this.#byName.get(`folder:${folder}`) ?? []
    const slips = beside.filter((known) => isFree(known) && isTypoOf(path, known))
    return nearest(path, slips)
  }
}

/** Returns the language code at the start of a path, if there is one. */
function languageOf(path: string): string | undefined {
  const [first = '', ...rest] = path.split('/')
  return rest.length > 0 && parseLanguage(first) !== undefined ? first : undefined
}

function groupByName(paths: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const slash = path.lastIndexOf('/')
    for (const key of [
      `name:${path.slice(slash + 1).toLowerCase()}`,
      `folder:${path.slice(0, Math.max(0, slash))}`,
    ]) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [path])
      else group.push(path)
    }
  }
  return groups
}
