/** Ids of headings and fields as other tools spell them: what pages look for, and what `check` promises. */

/** The letters and digits of an id alone. */
export function bareId(id: string): string {
  return id.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Other tools number the alternatives of a field in its id. */
export function withoutAlternatives(id: string): string {
  return id.replaceAll(/-(?:one|any)-of-\d+/g, '')
}
