import { posix } from 'node:path'
import { type AccessLabel, isHosted, normalizeSource, type PageBacking } from '@octavo/model'
import type { PlaygroundMode } from '@octavo/theme'
import { languageOf } from '../plan/page-languages.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { hashBytes } from '../source/hash-bytes.ts'

/** The properties of a page that determine its generated part. */
export type ShownPage = {
  readonly path: string
  readonly backing: PageBacking
  readonly playground: PlaygroundMode | undefined
  readonly language: string | undefined
  /** The readers who may see the page, and therefore the fragments that it loads later. */
  readonly access: AccessLabel
}

/** Returns undefined for a page without a specification. */
export function shownOf(page: PlannedPage): ShownPage | undefined {
  const { path, backing, frontmatter, access } = page
  if (backing === undefined) return undefined
  const { playground } = frontmatter.fields
  return { path, backing, playground, language: languageOf(page), access }
}

/** Returns the name of the operation or schema, which is unique in its specification. */
export function nameOf({ backing }: ShownPage): string {
  if (backing.kind === 'schema') return `schema ${backing.name}`
  return `${backing.listing.method} ${backing.listing.path}`
}

/** Returns the file with the data of an operation's playground. */
export function operationFile(folder: string, name: string): string {
  return `${folder}/try-${hashBytes(name).slice(0, 12)}.json`
}

/**
 * Returns a link to the whole specification, since programs cannot expand the nested fields of a
 * page.
 */
export function sourceLink({ source }: PageBacking): string {
  const url = isHosted(source) ? source : encodeURI(`/${normalizeSource(source)}`)
  return `\nSpecification: [${posix.basename(source)}](${url})\n`
}
