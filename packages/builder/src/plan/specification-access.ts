/** Determines who may read a whole specification: only readers who may read all of its parts. */
import {
  type Access,
  type AccessLabel,
  accessKey,
  accessOfAll,
  normalizeSource,
  pageLabel,
} from '@octavo/model'
import { operationListings, parseSpecification } from '@octavo/openapi'
import type { LoadedSite } from '../load/load-site.ts'

type LabelledSite = Pick<LoadedSite, 'navigation' | 'backings' | 'labels' | 'listings'>

/** Returns a function that determines who may read a specification, by path or URL. */
export function specificationAccess(site: LabelledSite): (source: string) => Access {
  const labels = new Map<string, AccessLabel[]>()
  const add = (source: string, label: AccessLabel) => {
    const known = labels.get(normalizeSource(source))
    if (known === undefined) labels.set(normalizeSource(source), [label])
    else known.push(label)
  }
  for (const [path, { source }] of site.backings) add(source, site.labels.get(path) ?? 'default')
  for (const { operation, access } of site.navigation.entries) {
    if (operation?.specification !== undefined) add(operation.specification, access ?? 'default')
  }
  const known = new Set([...site.labels.values()].map(accessKey))
  return (source) => {
    const hidden = hiddenLabels(source, site).map((label) =>
      // A label that no page has is not one of the site's labels. It is replaced by an empty list
      // of groups, so that no reader has access.
      known.has(accessKey(label)) ? label : [],
    )
    return accessOfAll([...(labels.get(normalizeSource(source)) ?? []), ...hidden])
  }
}

/**
 * Determines who may read an unused specification. Such a specification is not checked, and it is
 * parsed only if its operations may have groups.
 */
export function accessOfUnused(
  { path, text }: { readonly path: string; readonly text: string },
  site: LabelledSite,
): Access {
  if (!/\bgroups\b/.test(text)) return 'default'
  const { specification } = parseSpecification(path, text)
  const listings = specification === undefined ? undefined : operationListings(specification)
  return specificationAccess({ ...site, listings: () => listings })(path)
}

/**
 * Returns the labels of operations with groups, because the specification contains these operations
 * even if no page shows them.
 */
function hiddenLabels(source: string, { listings }: LabelledSite): readonly AccessLabel[] {
  return (listings(source) ?? []).flatMap(({ frontmatter }) => {
    const fields = frontmatter?.fields
    return fields?.groups === undefined ? [] : [pageLabel([fields], undefined)]
  })
}
