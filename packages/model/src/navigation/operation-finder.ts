/**
 * Listed operations → the specification and operation that they name (rules 6 to 8 of
 * "Documentation generation from OpenAPI"), and addresses for generated pages.
 */
import { isHosted } from '../config/api.ts'
import { isInternalLink } from '../config/values.ts'
import { diagnose, type Place, type Report } from '../diagnostic.ts'
import { type JsonNode, placeOf } from '../json/json-node.ts'
import { nearest } from '../nearest.ts'
import { joinPath } from '../routes/join-path.ts'
import { slug } from '../routes/slug.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import type { PageTarget, SpecificationUse } from './written.ts'

const GENERATED_DIRECTORY = 'api-reference'

export type OperationTarget = Extract<PageTarget, { kind: 'operation' }>

export type FoundOperation = {
  /** Nothing when no specification is in scope. */
  readonly use: SpecificationUse | undefined
  /** Nothing when the specification was not read or does not have it. */
  readonly listing: OperationListing | undefined
  readonly missing: boolean
}

export class OperationFinder {
  readonly #facts: SiteFacts
  readonly #report: Report
  readonly #tables = new Map<string, Map<string, OperationListing> | undefined>()
  /** Who has which generated path: the same operation listed twice is one page. */
  readonly #owners = new Map<string, string>()
  readonly #paths = new Map<string, string>()

  constructor(facts: SiteFacts, report: Report) {
    this.#facts = facts
    this.#report = report
  }

  find(
    target: OperationTarget,
    scope: readonly SpecificationUse[],
    node: JsonNode,
  ): FoundOperation {
    const uses = this.#usesFor(target, scope)
    const [first] = uses
    const name = `${target.method} ${target.path}`
    if (first === undefined) {
      this.#report(
        diagnose('openapi/no-specification', placeOf(node), {
          message: `\`${name}\` is listed where no specification is in scope.`,
          hint: 'Set `openapi` on this element or one above it, or write `<specification> METHOD /path`.',
        }),
      )
      return { use: undefined, listing: undefined, missing: true }
    }
    if (target.specification !== undefined && !this.checkFile(first.source, placeOf(node))) {
      return { use: first, listing: undefined, missing: true }
    }
    const matches = uses.flatMap((use) => {
      const listing = this.#table(use.source)?.get(name)
      return listing === undefined ? [] : [{ use, listing, missing: false }]
    })
    const [match, second] = matches
    if (match === undefined) return this.#notFound(uses, name, node)
    if (second !== undefined) {
      this.#report(
        diagnose('openapi/ambiguous-operation', placeOf(node), {
          message: `\`${name}\` is in ${match.use.source} and in ${second.use.source}; the first is shown.`,
          hint: `Write \`${second.use.source} ${name}\` to mean the other.`,
        }),
      )
    }
    return match
  }

  /** Rule 1: a specification is a file of the repository, or hosted at an address. */
  checkFile(source: string, place: Place): boolean {
    if (isHosted(source) || this.#facts.hasFile(normalizeSource(source))) return true
    this.#report(
      diagnose('openapi/missing-specification', place, {
        message: `There is no specification "${source}" in the repository.`,
        hint: 'Write its path from the root of the documentation, or the address of a hosted one.',
      }),
    )
    return false
  }

  /** The path of the page of an operation. Two operations never get the same one. */
  pagePath(use: SpecificationUse | undefined, operation: OperationListing, node: JsonNode): string {
    const owner = `${use?.source}\n${use?.directory}\n${operation.method} ${operation.path}`
    const known = this.#paths.get(owner)
    if (known !== undefined) return known
    const wanted = this.#ownPath(operation, node) ?? automaticPath(use, operation)
    let path = wanted
    for (let count = 2; this.#isTaken(path); count += 1) path = `${wanted}-${count}`
    this.#owners.set(path, owner)
    this.#paths.set(owner, path)
    // Without the specification the wanted address is only a guess, not worth a word.
    const isRead = use !== undefined && this.#table(use.source) !== undefined
    if (path !== wanted && isRead) this.#reportRenamed({ operation, wanted, path, node })
    return path
  }

  /** `x-svc.href` replaces the automatic address; it is a path of this site. */
  #ownPath(operation: OperationListing, node: JsonNode): string | undefined {
    const { href } = operation
    if (href === undefined) return undefined
    const path = isInternalLink(href) ? joinPath('', href) : undefined
    if (path) return path
    this.#report(
      diagnose('link/outside-root', placeOf(node), {
        message: `The \`x-svc.href\` of \`${operation.method} ${operation.path}\` is "${href}", which is not a path of this site; the automatic address is used.`,
        hint: 'Write a path such as `/api/list-plants`.',
      }),
    )
    return undefined
  }

  #isTaken(path: string): boolean {
    return this.#owners.has(path) || this.#facts.pages.has(path)
  }

  #reportRenamed(change: {
    readonly operation: OperationListing
    readonly wanted: string
    readonly path: string
    readonly node: JsonNode
  }): void {
    const { operation, wanted, path, node } = change
    this.#report(
      diagnose('route/renamed', placeOf(node), {
        message: `\`${operation.method} ${operation.path}\` would be at /${wanted}, which is taken; it is at /${path}.`,
        hint: 'Give the specification its own `directory`, or the operation its own summary or `x-svc.href`.',
      }),
    )
  }

  /** An operation that names its specification looks only there; others look at what is in scope. */
  #usesFor(
    target: OperationTarget,
    scope: readonly SpecificationUse[],
  ): readonly SpecificationUse[] {
    if (target.specification === undefined) return scope
    const source = normalizeSource(target.specification)
    const inScope = scope.find((use) => normalizeSource(use.source) === source)
    return [inScope ?? { source: target.specification }]
  }

  #notFound(uses: readonly SpecificationUse[], name: string, node: JsonNode): FoundOperation {
    const unread = uses.find((use) => this.#table(use.source) === undefined)
    if (unread !== undefined) return { use: unread, listing: undefined, missing: false }
    const names = uses.flatMap((use) => [...(this.#table(use.source)?.keys() ?? [])])
    const guess = nearest(name, names)
    const sources = uses.map((use) => use.source).join(', ')
    this.#report(
      diagnose('openapi/unknown-operation', placeOf(node), {
        message: `\`${name}\` is not in ${sources}.`,
        hint:
          guess === undefined
            ? 'Method and path must match the specification exactly.'
            : `Did you mean \`${guess}\`?`,
      }),
    )
    return { use: uses[0], listing: undefined, missing: true }
  }

  #table(source: string): Map<string, OperationListing> | undefined {
    if (this.#tables.has(source)) return this.#tables.get(source)
    const listings = this.#facts.operations(source)
    const table =
      listings && new Map(listings.map((listing) => [`${listing.method} ${listing.path}`, listing]))
    this.#tables.set(source, table)
    return table
  }
}

/** Stands for an operation whose specification was not read. */
export function unreadOperation(target: OperationTarget): OperationListing {
  const { method, path } = target
  const title = method === 'WEBHOOK' ? path : `${method} ${path}`
  return { method, path, title, slug: slug(title) || method.toLowerCase() }
}

/** `/<directory>/<tag>/<title>`. */
function automaticPath(use: SpecificationUse | undefined, operation: OperationListing): string {
  const folder = joinPath('', use?.directory ?? GENERATED_DIRECTORY) ?? GENERATED_DIRECTORY
  return joinPath('', `${folder}/${operation.slug}`) ?? operation.slug
}

/** `/api/a.json`, `./api/a.json` and `api/a.json` are one file. */
export function normalizeSource(source: string): string {
  if (isHosted(source)) return source
  return joinPath('', source) ?? source
}
