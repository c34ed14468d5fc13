/**
 * The path segment of a summary, a tag, or a path. Repositories that come from another host have
 * links to such pages, so the same characters vanish here as there (`A/B (new)` is `ab-new`), and
 * what would not be safe in an address becomes a dash.
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
