/**
 * Makes IDs of headings and fields comparable with IDs that other tools generate, for page scripts
 * and for `check`.
 */

/** Returns the letters and digits of an ID in lower case. */
export function bareId(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Removes the numbers of alternatives, which other tools include in the ID of a field. */
export function withoutAlternatives(id: string): string {
  return id.replaceAll(/-(?:one|any)-of-\d+/g, '')
}
