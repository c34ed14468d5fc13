/** What resolution needs to know about the site beside its configuration. Given by the caller. */
import type { Frontmatter } from '../frontmatter/frontmatter-fields.ts'

export type KnownPage = {
  /** Page path: the file without its extension. */
  readonly path: string
  readonly file: string
  readonly frontmatter: Frontmatter
  /** A snippet or a README: a page only where the navigation lists it. */
  readonly isPageOnlyWhenListed: boolean
}

export type PageIndex = ReadonlyMap<string, KnownPage>

/** One operation or webhook of a specification, as far as navigation is concerned. */
export type OperationListing = {
  /** Upper-case HTTP method, or `WEBHOOK`. */
  readonly method: string
  /** Path of the operation, or name of the webhook. */
  readonly path: string
  readonly title: string
  /** Address below the specification's directory: `plants/list-plants`. */
  readonly slug: string
  /** Label of the group that its tag makes; missing without a tag. */
  readonly group?: string
  readonly deprecated?: boolean
  /** `x-hidden`: left out of generated pages. */
  readonly hidden?: boolean
  /** `x-svc.href`: replaces the whole address. */
  readonly href?: string
  /** What it is about, in one line. */
  readonly description?: string
  /** `x-svc.metadata`: what the frontmatter of a page file would say. */
  readonly frontmatter?: Frontmatter
}

/** The operations of a specification in order, or nothing when it was not read. */
export type FindOperations = (source: string) => readonly OperationListing[] | undefined

export type SiteFacts = {
  readonly pages: PageIndex
  readonly operations: FindOperations
  /** The names under `components.schemas`, or nothing when the specification was not read. */
  readonly schemas: (source: string) => readonly string[] | undefined
  /** Is there such a file in the repository? */
  readonly hasFile: (path: string) => boolean
  /** Every file of the repository that is a specification. Asked only when a name is not exact. */
  readonly specificationFiles: () => readonly string[]
}

/** For a site whose specifications are not read. */
export const NO_SPECIFICATIONS = {
  operations: () => undefined,
  schemas: () => undefined,
  specificationFiles: () => [],
} satisfies Partial<SiteFacts>
