import { type OperationListing, operationSlug } from '@octavo/model'
import { KIND } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { extensionField, isHidden, tagLabel } from './extensions.ts'
import { listedMethod, listOperations, type Operation } from './list-operations.ts'
import { isDeprecated, operationFrontmatter } from './operation-metadata.ts'
import { operationAddress, operationDescription, operationTitle } from './operation-title.ts'
import { plainSummary } from './plain-summary.ts'

/**
 * Returns the operations in the order of the navigation: grouped by declared tags, then by
 * undeclared tags in the order of their first use, then those without a tag.
 */
export function operationListings(specification: Specification): readonly OperationListing[] {
  const tags = readTags(specification)
  return listOperations(specification)
    .map((operation) => {
      const tag = firstTag(specification, operation)
      const known = tag === undefined ? undefined : tags.get(tag)
      if (tag !== undefined && known === undefined) tags.set(tag, { rank: tags.size, label: tag })
      return { operation, tag }
    })
    .map(({ operation, tag }) => ({
      rank: tag === undefined ? tags.size : (tags.get(tag)?.rank ?? tags.size),
      listing: listingOf(specification, operation, tag, tags),
    }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ listing }) => listing)
}

type Tags = Map<string, { readonly rank: number; readonly label: string }>

/**
 * Returns the declared tags with their positions and their labels (`x-group` or the tag's name).
 */
function readTags({ document }: Specification): Tags {
  const tags: Tags = new Map()
  for (const tag of document.items(document.field(document.root, 'tags'))) {
    const name = document.textField(tag, 'name')
    if (name === undefined || tags.has(name)) continue
    tags.set(name, { rank: tags.size, label: tagLabel(document, tag) ?? name })
  }
  return tags
}

function firstTag({ document }: Specification, operation: Operation): string | undefined {
  const [tag] = document.texts(document.field(operation.node, 'tags'))
  return tag === undefined || tag.trim() === '' ? undefined : tag
}

function listingOf(
  specification: Specification,
  operation: Operation,
  tag: string | undefined,
  tags: Tags,
): OperationListing {
  const { document } = specification
  const folder = tag === undefined ? '' : operationSlug(tag)
  const name = operationAddress(specification, operation)
  const own = document.texts(document.field(operation.node, 'tags'))
  const href = extensionField(document, operation.node, 'href')
  const front = operationFrontmatter(document, operation.node)
  const description =
    front?.fields.description ?? plainSummary(operationDescription(specification, operation) ?? '')
  return {
    method: listedMethod(operation),
    path: operation.path,
    title: operationTitle(specification, operation),
    slug: folder === '' ? name : `${folder}/${name}`,
    ...(tag === undefined ? {} : { group: tags.get(tag)?.label ?? tag }),
    ...(own.length === 0 ? {} : { tags: own }),
    ...(isDeprecated(document, operation.node) ? { deprecated: true } : {}),
    ...(isHidden(document, operation.node) ? { hidden: true } : {}),
    ...(description === '' ? {} : { description }),
    ...(front && { frontmatter: front }),
    ...(href !== undefined && document.kind(href) === KIND.string
      ? { href: document.text(href) }
      : {}),
  }
}
