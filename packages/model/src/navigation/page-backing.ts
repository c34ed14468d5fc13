/**
 * Finds the operation, webhook or schema that a page shows, according to `openapi` and
 * `openapi-schema` in its frontmatter ("MDX pages backed by OpenAPI").
 */
import { diagnose, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { nearest } from '../text/nearest.ts'
import type { OperationFinder } from './operation-finder.ts'
import { parseOperationText } from './parse-operation-text.ts'
import type { KnownPage, OperationListing, SiteFacts } from './site-facts.ts'
import type { SpecificationUse } from './written.ts'

/** The part of a specification that a page shows. */
export type PageBacking =
  | { readonly kind: 'operation'; readonly source: string; readonly listing: OperationListing }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }

export class PageBackings {
  readonly #facts: SiteFacts
  readonly #finder: OperationFinder
  readonly #report: Report
  readonly #known = new Map<string, PageBacking | undefined>()

  constructor(facts: SiteFacts, finder: OperationFinder, report: Report) {
    this.#facts = facts
    this.#finder = finder
    this.#report = report
  }

  /**
   * Returns the part of a specification that a page shows. The specifications in scope are searched
   * first.
   */
  of(page: KnownPage, scope: readonly SpecificationUse[]): PageBacking | undefined {
    const { fields } = page.frontmatter
    if (fields.openapi === undefined && fields['openapi-schema'] === undefined) return undefined
    if (this.#known.has(page.path)) return this.#known.get(page.path)
    const backing = this.#find(page, scope)
    this.#known.set(page.path, backing)
    return backing
  }

  /** The parts of specifications that pages show, by page path. */
  get found(): ReadonlyMap<string, PageBacking> {
    return new Map([...this.#known].flatMap(([path, found]) => (found ? [[path, found]] : [])))
  }

  #find(page: KnownPage, scope: readonly SpecificationUse[]): PageBacking | undefined {
    const { fields, openapiPlace } = page.frontmatter
    const place = () => openapiPlace ?? { file: page.file, line: 1, column: 1 }
    const schema = fields['openapi-schema']
    if (fields.openapi === undefined) {
      return schema === undefined ? undefined : this.#schema(schema.trim(), scope, place)
    }
    const target = parseOperationText(fields.openapi)
    if (target === undefined) {
      this.#report(
        diagnose('openapi/unknown-operation', place(), {
          message: `\`openapi\` is "${fields.openapi}", which is not an operation.`,
          hint: 'Write `METHOD /path`, `<specification> METHOD /path` or `<specification> webhook <name>`.',
        }),
      )
      return undefined
    }
    const { use, listing } = this.#finder.findAnywhere(target, scope, place)
    if (use === undefined || listing === undefined) return undefined
    return { kind: 'operation', source: use.source, listing }
  }

  /** Resolves a reference to a schema, in the form `[<file>] <SchemaName>`. */
  #schema(
    written: string,
    scope: readonly SpecificationUse[],
    place: () => Place,
  ): PageBacking | undefined {
    const [, file, name = ''] = /^(?:(\S.*?)\s+)?(\S+)$/.exec(written) ?? []
    const named = file === undefined ? undefined : this.#finder.specifications.find(file, place)
    if (file !== undefined && named === undefined) return undefined
    const inScope = scope.map(({ source }) => source)
    const sources =
      named === undefined
        ? [...new Set([...inScope, ...this.#facts.specificationFiles(), ...this.#finder.hosted])]
        : [named]
    const holders = sources.filter((source) => this.#facts.schemas(source)?.includes(name))
    const [first] = holders
    if (first === undefined) return this.#unknownSchema(name, sources, place)
    // A match in scope is only ambiguous if there is another match in scope.
    const isScoped = inScope.includes(first)
    const second = holders.slice(1).find((source) => !isScoped || inScope.includes(source))
    if (second !== undefined) {
      this.#report(
        diagnose('openapi/ambiguous-operation', place(), {
          message: `The schema \`${name}\` is in both ${first} and ${second}; the first one is used.`,
          hint: `Write \`${first} ${name}\` or \`${second} ${name}\`.`,
        }),
      )
    }
    return { kind: 'schema', source: first, name }
  }

  #unknownSchema(name: string, sources: readonly string[], place: () => Place): undefined {
    const known = sources.map((source) => this.#facts.schemas(source))
    // The schema may be in a specification that was not read.
    if (known.some((names) => names === undefined)) return undefined
    const guess = nearest(
      name,
      known.flatMap((names) => names ?? []),
    )
    this.#report(
      diagnose('openapi/unknown-schema', place(), {
        message: `The schema \`${name}\` does not exist in \`components.schemas\` of ${sources.length === 1 ? sources[0] : 'any specification'}.`,
        hint:
          guess === undefined
            ? 'The name must match the specification exactly.'
            : `Did you mean \`${guess}\`?`,
      }),
    )
    return undefined
  }
}
