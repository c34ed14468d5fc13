/** Every limit of the model. The documentation prints this table. */
export const LIMITS = {
  /** The maximum number of characters in docs.json or in one of its parts. */
  configSizeMax: 16 * 1024 * 1024,
  /** The maximum nesting depth of values in a JSON or YAML document. */
  jsonDepthMax: 128,
  /** The maximum number of files into which docs.json may be split with `$ref`. */
  configPartsMax: 1_000,
  /** The maximum number of values in docs.json after its parts are inserted. */
  configValuesMax: 2_000_000,
  /** The maximum number of navigation levels below the root, including divisions and groups. */
  navigationDepthMax: 32,
  /** The maximum number of characters in an entry of `pages`. */
  pageEntryLengthMax: 2_000,
  /** The maximum number of characters in the frontmatter of a page. */
  frontmatterSizeMax: 64 * 1024,
  /** The number of redirects after which a chain is considered endless. */
  redirectHopsMax: 32,
  /** The maximum number of characters in a path that is compared with redirects. */
  redirectPathLengthMax: 2_000,
  /** The maximum number of access labels on a site, including `public` and `default`. */
  accessLabelsMax: 64,
  /** The maximum number of problems in a report; the rest are only counted. */
  diagnosticsMax: 20_000,
} as const

/**
 * Formats a whole number with thousands separators, such as 20,000. Does not use `Intl`, because
 * its first call takes 10 ms.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
