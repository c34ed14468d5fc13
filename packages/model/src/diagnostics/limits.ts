/** Every limit of the model. The documentation prints this table. */
export const LIMITS = {
  /** Characters in docs.json or in one of its parts. */
  configSizeMax: 16 * 1024 * 1024,
  /** Nesting depth of values in a JSON or YAML text. */
  jsonDepthMax: 128,
  /** Files that one docs.json may be split into with `$ref`. */
  configPartsMax: 1_000,
  /** Values in docs.json after its parts are merged. */
  configValuesMax: 2_000_000,
  /** Levels of navigation below the root, divisions and groups together. */
  navigationDepthMax: 32,
  /** Characters in one entry of `pages`. */
  pageEntryLengthMax: 2_000,
  /** Characters in the frontmatter of one page. */
  frontmatterSizeMax: 64 * 1024,
  /** Redirect hops that are followed before a chain is considered endless. */
  redirectHopsMax: 32,
  /** Characters in a path that is matched against redirects. */
  redirectPathLengthMax: 2_000,
  /** Access labels of the pages of one site, including `public` and `default`. */
  accessLabelsMax: 64,
  /** Problems listed in one report; the rest are counted. */
  diagnosticsMax: 20_000,
} as const

/** Formats a whole number as 20,000. Avoids `Intl`, whose first call takes 10 ms. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
