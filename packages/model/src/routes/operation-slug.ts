/**
 * Returns the path segment for a summary, a tag, or a path. Existing links of sites that migrate
 * from another product must stay valid, so the characters that it removes are removed here too
 * (`A/B (new)` is `ab-new`). Characters that are unsafe in a URL become dashes.
 */
export function operationSlug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\{[^{}]*\}/g, '-')
    .replaceAll(/[{}(),.'’/\r\n]/g, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
}
