/**
 * Finds the specification and operation that a listed operation refers to (rules 6 to 8 of
 * "Documentation generation from OpenAPI"). Also used for operations in frontmatter.
 */
import { isHosted } from '../config/api.ts'
import { diagnose, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { guessOperation } from './guess-operation.ts'
import { type NamedOperation, printOperation } from './parse-operation-text.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import { normalizeSource, SpecificationFinder } from './specification-finder.ts'
import type { SpecificationUse } from './written.ts'

export type FoundOperation = {
  /** Undefined if no specification is in scope. */
  readonly use: SpecificationUse | undefined
  /** Undefined if the specification was not read, or does not contain the operation. */
  readonly listing: OperationListing | undefined
  readonly missing: boolean
}

type UnknownOperation = {
  readonly target: NamedOperation
  readonly uses: readonly SpecificationUse[]
  readonly place: () => Place
}

type Match = { readonly use: SpecificationUse; readonly listing: OperationListing }

export class OperationFinder {
  readonly specifications: SpecificationFinder
  readonly #facts: SiteFacts
  readonly #report: Report
  /** The hosted specifications in docs.json. An unknown operation may be in an unread one. */
  readonly hosted: readonly string[]
  /** Operations that already have an entry or a page. */
  readonly #shown = new Set<OperationListing>()
  readonly #unknown: UnknownOperation[] = []
  readonly #tables = new Map<string, Map<string, OperationListing> | undefined>()

  constructor(facts: SiteFacts, report: Report, hosted: readonly string[]) {
    this.#facts = facts
    this.#report = report
    this.hosted = hosted
    this.specifications = new SpecificationFinder(facts, report)
  }

  /**
   * Finds the operation of an entry: in the specification that the entry names, or else in those in
   * scope.
   */
  find(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    const uses = this.#usesFor(target, scope, place)
    if (uses === undefined) return { use: undefined, listing: undefined, missing: true }
    if (uses.length === 0) {
      this.#report(
        diagnose('openapi/no-specification', place(), {
          message: `\`${printOperation(target)}\` is listed where no specification is in scope.`,
          hint: 'Set `openapi` on this element or one above it, or write `<specification> METHOD /path`.',
        }),
      )
      return { use: undefined, listing: undefined, missing: true }
    }
    return this.#search(target, uses, place) ?? this.#notFound(target, uses, place)
  }

  /**
   * Finds the operation of a page. If its frontmatter does not name a specification, all
   * specifications of the site are searched.
   */
  findAnywhere(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    if (target.specification !== undefined) return this.find(target, scope, place)
    const found = this.#search(target, scope, place)
    if (found !== undefined) return found
    const others = [...this.#facts.specificationFiles(), ...this.hosted]
      .filter((source) => !scope.some((use) => normalizeSource(use.source) === source))
      .map((source): SpecificationUse => ({ source }))
    const elsewhere = this.#search(target, others, place)
    if (elsewhere !== undefined) return elsewhere
    if (scope.length === 0) return this.#notFound(target, others, place)
    const unread = others.filter((use) => isHosted(use.source) && !this.isRead(use))
    return this.#notFound(target, [...scope, ...unread], place)
  }

  isRead(use: SpecificationUse): boolean {
    return this.#table(use.source) !== undefined
  }

  #search(
    target: NamedOperation,
    uses: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation | undefined {
    const exact = this.#matches(uses, (table) => table.get(keyOf(target)))
    const matches =
      exact.length > 0 ? exact : this.#matches(uses, (table) => findWithSlash(table, target))
    const [match, second] = matches
    if (match === undefined) return undefined
    if (second !== undefined) this.#reportAmbiguous(target, match, second, place)
    else if (exact.length === 0) this.#reportLoose(target, match, place)
    this.#shown.add(match.listing)
    return { ...match, missing: false }
  }

  #matches(
    uses: readonly SpecificationUse[],
    pick: (table: ReadonlyMap<string, OperationListing>) => OperationListing | undefined,
  ): readonly Match[] {
    return uses.flatMap((use) => {
      const table = this.#table(use.source)
      const listing = table && pick(table)
      return listing === undefined ? [] : [{ use, listing }]
    })
  }

  #reportAmbiguous(target: NamedOperation, first: Match, second: Match, place: () => Place): void {
    const name = printOperation({ method: target.method, path: target.path })
    this.#report(
      diagnose('openapi/ambiguous-operation', place(), {
        message: `\`${name}\` is in both ${first.use.source} and ${second.use.source}; the first one is used.`,
        hint: `Write \`${first.use.source} ${name}\` or \`${second.use.source} ${name}\`.`,
      }),
    )
  }

  #reportLoose({ path }: NamedOperation, { listing }: Match, place: () => Place): void {
    this.#report(
      diagnose('openapi/loose-reference', place(), {
        message: `\`${path}\` is interpreted as \`${listing.path}\`.`,
        hint: `Write \`${listing.path}\`.`,
      }),
    )
  }

  /**
   * Returns the named specification, or else those in scope; returns undefined if the named one is
   * missing.
   */
  #usesFor(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): readonly SpecificationUse[] | undefined {
    if (target.specification === undefined) return scope
    const source = this.specifications.find(target.specification, place)
    if (source === undefined) return undefined
    return [scope.find((use) => normalizeSource(use.source) === source) ?? { source }]
  }

  #notFound(
    target: NamedOperation,
    uses: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    const unread = uses.find((use) => !this.isRead(use))
    if (unread !== undefined) return { use: unread, listing: undefined, missing: true }
    this.#unknown.push({ target, uses, place })
    return { use: uses[0], listing: undefined, missing: true }
  }

  /**
   * Reports operations that were not found. Must be called after the operations of all pages are
   * known, since hints only suggest operations without a page.
   */
  reportUnknown(): void {
    for (const { target, uses, place } of this.#unknown) {
      const { method, path } = target
      this.#report(
        diagnose('openapi/unknown-operation', place(), {
          message: `\`${printOperation({ method, path })}\` is not in ${listSources(uses)}.`,
          hint: this.#hintFor({ method, path }, uses),
        }),
      )
    }
  }

  #hintFor(operation: NamedOperation, uses: readonly SpecificationUse[]): string {
    const key = keyOf(operation)
    const [holder] = [...this.#tables].find(([, table]) => table?.has(key)) ?? []
    if (holder !== undefined) {
      return `It is in ${holder}: write \`${printOperation({ ...operation, specification: holder })}\`.`
    }
    const listings = uses.flatMap((use) => [...(this.#table(use.source)?.values() ?? [])])
    const guess = guessOperation(operation, listings, (listing) => this.#shown.has(listing))
    if (guess !== undefined) return `Did you mean \`${guess}\`?`
    const what = operation.method === 'WEBHOOK' ? 'The name of the webhook' : 'Method and path'
    return `${what} must match the specification exactly.`
  }

  #table(written: string): Map<string, OperationListing> | undefined {
    const source = normalizeSource(written)
    if (this.#tables.has(source)) return this.#tables.get(source)
    const listings = this.#facts.operations(source)
    const table = listings && new Map(listings.map((listing) => [keyOf(listing), listing]))
    this.#tables.set(source, table)
    return table
  }
}

function listSources(uses: readonly SpecificationUse[]): string {
  if (uses.length === 0) return 'any specification in the repository'
  if (uses.length > 3) return `any of ${uses.length} specifications`
  return uses.map((use) => use.source).join(', ')
}

function keyOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`
}

/** Finds an operation whose path only differs by a trailing slash. */
function findWithSlash(
  table: ReadonlyMap<string, OperationListing>,
  { method, path }: NamedOperation,
): OperationListing | undefined {
  return table.get(`${method} ${path.endsWith('/') ? path.slice(0, -1) : `${path}/`}`)
}
