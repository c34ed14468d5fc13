/**
 * Collects the API operations of a page. Octavo shows one operation on a page: a single one is that
 * of the page, and each of several gets a page below it.
 */
import { posix } from 'node:path'
import { isHosted, joinPath } from '@octavo/model'
import { splitAddress } from '../site/addresses.ts'
import type { ForeignPage } from '../site/foreign-site.ts'
import type { PartContext } from './convert-page.ts'

export class PageOperations {
  readonly #context: PartContext
  readonly #isSingle: boolean
  readonly #pages = new Map<string, ForeignPage>()
  #own: string | undefined

  constructor(context: PartContext) {
    const tags = context.source.body.match(/\{%[ \t]*(?:openapi|swagger)[\w-]*[ \t]/g)
    this.#context = context
    this.#isSingle = tags?.length === 1
  }

  /** The operation of the page itself, as the frontmatter names it. */
  get own(): string | undefined {
    return this.#own
  }

  /** The pages below the page. */
  get pages(): readonly ForeignPage[] {
    return [...this.#pages.values()]
  }

  /**
   * Adds an operation and returns the address of its page: empty for the page itself, undefined if
   * there cannot be one, since the text is part of several pages.
   */
  add(openapi: string): string | undefined {
    const { source, includes, hasPage } = this.#context
    if (includes.stack.length > 0) return undefined
    if (this.#isSingle) {
      this.#own = openapi
      return ''
    }
    const [, method = '', address = ''] = /(\S+) (\S*)$/.exec(openapi) ?? []
    const name = `${method.toLowerCase()}-${address}`.replaceAll(/[^\w.]+/g, '-').replace(/-$/, '')
    const base = source.path.replace(/(?:^|\/)index$/, '')
    let path = posix.join(base, name)
    for (let count = 2; hasPage(path) || isOther(this.#pages.get(path), openapi); count += 1)
      path = posix.join(base, `${name}-${count}`)
    this.#pages.set(path, { source: undefined, path, frontmatter: { openapi }, body: '' })
    return `/${path}`
  }
}

function isOther(page: ForeignPage | undefined, openapi: string): boolean {
  return page !== undefined && page.frontmatter.openapi !== openapi
}

/** Returns true for the URL of a document, and for a file that Octavo reads as a specification. */
export function isSpecification(
  src: string,
  { source, includes }: Pick<PartContext, 'source' | 'includes'>,
): boolean {
  if (isHosted(src)) return /\.(?:json|ya?ml)$/i.test(splitAddress(src).path)
  const file = joinPath(posix.dirname(source.file), splitAddress(src).path)
  const text = file === undefined ? undefined : includes.read(file)
  return (
    text !== undefined &&
    /^\s*\{?\s*"?(?:openapi"?:\s*["']?3|swagger"?:\s*["']?2\.0)/m.test(text.slice(0, 10_000))
  )
}
