/**
 * Returns the path segment for a summary, a tag, or a path. Sites migrated from another host have
 * links to such pages, so the same characters are removed (`A/B (new)` is `ab-new`), and characters
 * that are unsafe in a URL become dashes.
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
