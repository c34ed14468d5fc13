/** Facts about the site, besides its configuration, that the caller provides for resolution. */
import type { Frontmatter } from '../frontmatter/frontmatter-fields.ts'

export type KnownPage = {
  /** Page path: the file path without its extension. */
  readonly path: string
  readonly file: string
  readonly frontmatter: Frontmatter
  /** A snippet or a README, which is a page only if the navigation lists it. */
  readonly isPageOnlyWhenListed: boolean
}

export type PageIndex = ReadonlyMap<string, KnownPage>

/** The facts about an operation or webhook that the navigation needs. */
export type OperationListing = {
  /** Upper-case HTTP method, or `WEBHOOK`. */
  readonly method: string
  /** Path of the operation, or name of the webhook. */
  readonly path: string
  readonly title: string
  /** Address below the specification's directory: `plants/list-plants`. */
  readonly slug: string
  /** Label of the group for its tag; absent without a tag. */
  readonly group?: string
  readonly deprecated?: boolean
  /** `x-hidden`: excluded from generated pages. */
  readonly hidden?: boolean
  /** `x-svc.href`: replaces the whole address. */
  readonly href?: string
  /** A one-line description. */
  readonly description?: string
  /** `x-svc.metadata`: the fields that a page file would have in its frontmatter. */
  readonly frontmatter?: Frontmatter
}

/** Returns a specification's operations in order, or undefined if it was not read. */
export type FindOperations = (source: string) => readonly OperationListing[] | undefined

export type SiteFacts = {
  readonly pages: PageIndex
  readonly operations: FindOperations
  /** Returns the names in `components.schemas`, or undefined if the document was not read. */
  readonly schemas: (source: string) => readonly string[] | undefined
  /** True if the file exists in the repository. */
  readonly hasFile: (path: string) => boolean
  /** Returns all specification files in the repository. Called only if a name is not exact. */
  readonly specificationFiles: () => readonly string[]
}

/** For a site whose specifications are not read. */
export const NO_SPECIFICATIONS = {
  operations: () => undefined,
  schemas: () => undefined,
  specificationFiles: () => [],
} satisfies Partial<SiteFacts>
