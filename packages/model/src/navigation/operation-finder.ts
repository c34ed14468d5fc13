/**
 * Listed operations → the specification and operation that they name (rules 6 to 8 of
 * "Documentation generation from OpenAPI"), also for pages that name one in their frontmatter.
 */
import { diagnose, type Place, type Report } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import { type NamedOperation, printOperation } from './parse-operation-text.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import { normalizeSource, SpecificationFinder } from './specification-finder.ts'
import type { SpecificationUse } from './written.ts'

export type FoundOperation = {
  /** Nothing when no specification is in scope. */
  readonly use: SpecificationUse | undefined
  /** Nothing when the specification was not read or does not have it. */
  readonly listing: OperationListing | undefined
  readonly missing: boolean
}

type Match = { readonly use: SpecificationUse; readonly listing: OperationListing }

export class OperationFinder {
  readonly specifications: SpecificationFinder
  readonly #facts: SiteFacts
  readonly #report: Report
  readonly #tables = new Map<string, Map<string, OperationListing> | undefined>()

  constructor(facts: SiteFacts, report: Report) {
    this.#facts = facts
    this.#report = report
    this.specifications = new SpecificationFinder(facts, report)
  }

  /** The operation that an entry names, in the specification it names or in those in scope. */
  find(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    const located = this.#usesFor(target, scope, place)
    if (located === undefined) return { use: undefined, listing: undefined, missing: true }
    const { uses, isExact } = located
    if (uses.length === 0) {
      this.#report(
        diagnose('openapi/no-specification', place(), {
          message: `\`${printOperation(target)}\` is listed where no specification is in scope.`,
          hint: 'Set `openapi` on this element or one above it, or write `<specification> METHOD /path`.',
        }),
      )
      return { use: undefined, listing: undefined, missing: true }
    }
    const exact: NamedOperation = isExact ? target : { ...target, loose: true }
    return this.#search(exact, uses, place) ?? this.#notFound(target, uses, place)
  }

  /** Frontmatter may leave the specification out: then all of the repository are searched. */
  findAnywhere(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    if (target.specification !== undefined) return this.find(target, scope, place)
    const found = this.#search(target, scope, place)
    if (found !== undefined) return found
    const others = this.#facts
      .specificationFiles()
      .filter((file) => !scope.some((use) => normalizeSource(use.source) === file))
      .map((source): SpecificationUse => ({ source }))
    const elsewhere = this.#search(target, others, place)
    if (elsewhere !== undefined) return elsewhere
    return this.#notFound(target, scope.length > 0 ? scope : others, place)
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
      exact.length > 0 ? exact : this.#matches(uses, (table) => slashed(table, target))
    const [match, second] = matches
    if (match === undefined) return undefined
    if (second !== undefined) this.#reportAmbiguous(target, match, second, place)
    else if (target.loose || exact.length === 0) this.#reportLoose(target, match, place)
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
        message: `\`${name}\` is in ${first.use.source} and in ${second.use.source}; the first is shown.`,
        hint: `Write \`${second.use.source} ${name}\` to mean the other.`,
      }),
    )
  }

  #reportLoose(target: NamedOperation, { use, listing }: Match, place: () => Place): void {
    const { method, path } = listing
    const isNamed = target.specification !== undefined
    const exact = printOperation({
      ...(isNamed ? { specification: normalizeSource(use.source) } : {}),
      ...{ method, path },
    })
    this.#report(
      diagnose('openapi/loose-reference', place(), {
        message: `This is taken to mean \`${exact}\`.`,
        hint: `Write \`${exact}\`.`,
      }),
    )
  }

  /** One that names its specification looks only there. Nothing when that one is missing. */
  #usesFor(
    target: NamedOperation,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): { readonly uses: readonly SpecificationUse[]; readonly isExact: boolean } | undefined {
    if (target.specification === undefined) return { uses: scope, isExact: true }
    const located = this.specifications.locate(target.specification, place)
    if (located === undefined) return undefined
    const { source, isExact } = located
    const inScope = scope.find((use) => normalizeSource(use.source) === source)
    return { uses: [inScope ?? { source }], isExact }
  }

  #notFound(
    target: NamedOperation,
    uses: readonly SpecificationUse[],
    place: () => Place,
  ): FoundOperation {
    const unread = uses.find((use) => !this.isRead(use))
    if (unread !== undefined) return { use: unread, listing: undefined, missing: false }
    const name = printOperation({ method: target.method, path: target.path })
    const names = uses.flatMap((use) => [...(this.#table(use.source)?.values() ?? [])])
    const guess = nearest(name, names.map(printOperation))
    const sources = uses.map((use) => use.source)
    const where =
      sources.length === 0
        ? 'any specification of the repository'
        : sources.length > 3
          ? `any of ${sources.length} specifications`
          : sources.join(', ')
    this.#report(
      diagnose('openapi/unknown-operation', place(), {
        message: `\`${name}\` is not in ${where}.`,
        hint:
          guess === undefined
            ? 'Method and path must match the specification exactly.'
            : `Did you mean \`${guess}\`?`,
      }),
    )
    return { use: uses[0], listing: undefined, missing: true }
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

function keyOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`
}

/** The same path with or without a slash at its end. */
function slashed(
  table: ReadonlyMap<string, OperationListing>,
  { method, path }: NamedOperation,
): OperationListing | undefined {
  return table.get(`${method} ${path.endsWith('/') ? path.slice(0, -1) : `${path}/`}`)
}
