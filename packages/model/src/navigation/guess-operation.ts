import { nearest } from '../text/nearest.ts'
import { type NamedOperation, printOperation } from './parse-operation-text.ts'
import type { OperationListing } from './site-facts.ts'

/**
 * Returns the operation that the author probably meant by one that does not exist. Names of
 * parameters are ignored, since clients do not see them. Operations that already have a page are
 * not suggested.
 */
export function guessOperation(
  target: NamedOperation,
  listings: readonly OperationListing[],
  isShown: (listing: OperationListing) => boolean,
): string | undefined {
  const shape = shapeOf(target.path)
  const alike = listings.filter(
    ({ method, path }) => method === target.method && shapeOf(path).endsWith(shape),
  )
  const same = alike.find(({ path }) => shapeOf(path) === shape)
  if (same !== undefined) return printOperation(same)
  // Perhaps the written path only lacks a prefix such as `/v1`.
  const [longer, another] = alike.filter((listing) => !isShown(listing))
  if (longer !== undefined && another === undefined) return printOperation(longer)
  const free = listings.filter((listing) => !isShown(listing))
  return nearest(
    printOperation({ method: target.method, path: target.path }),
    free.map(({ method, path }) => printOperation({ method, path })),
  )
}

/** Returns a path without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}
