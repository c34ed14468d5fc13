/**
 * Facts about the site that are not in docs.json. The caller provides them to resolve the
 * navigation.
 */
import type { Frontmatter } from '../frontmatter/frontmatter-fields.ts'

export type KnownPage = {
  /** The page path, which is the path of the file without its extension. */
  readonly path: string
  readonly file: string
  readonly frontmatter: Frontmatter
  /** True for a snippet or a README, which is a page only if the navigation lists it. */
  readonly isPageOnlyWhenListed: boolean
}

export type PageIndex = ReadonlyMap<string, KnownPage>

/** The facts about an operation or webhook that the navigation needs. */
export type OperationListing = {
  /** The HTTP method in upper case, or `WEBHOOK`. */
  readonly method: string
  /** The path of the operation, or the name of the webhook. */
  readonly path: string
  readonly title: string
  /** The part of the address below the specification's directory: `plants/list-plants`. */
  readonly slug: string
  readonly tags?: readonly string[]
  /** The name of the group for the operation's first tag; undefined without a tag. */
  readonly group?: string
  readonly deprecated?: boolean
  /** True if the operation is excluded from generated pages (`x-hidden`). */
  readonly hidden?: boolean
  /** An address that replaces the generated one (`x-svc.href`). */
  readonly href?: string
  /** A one-line description. */
  readonly description?: string
  /** The fields that a page file would have in its frontmatter (`x-svc.metadata`). */
  readonly frontmatter?: Frontmatter
}

/**
 * Returns the operations of a specification in order, or undefined if the specification was not
 * read.
 */
export type FindOperations = (source: string) => readonly OperationListing[] | undefined

export type SiteFacts = {
  readonly pages: PageIndex
  readonly operations: FindOperations
  /** Returns the names in `components.schemas`, or undefined if the document was not read. */
  readonly schemas: (source: string) => readonly string[] | undefined
  /** Checks whether a file exists in the repository. */
  readonly hasFile: (path: string) => boolean
  /**
   * Returns all specification files in the repository. Only called for a name that is not an exact
   * path.
   */
  readonly specificationFiles: () => readonly string[]
}

/** Facts for a site without specifications, or one whose specifications are not read. */
export const NO_SPECIFICATIONS = {
  operations: () => undefined,
  schemas: () => undefined,
  specificationFiles: () => [],
} satisfies Partial<SiteFacts>
