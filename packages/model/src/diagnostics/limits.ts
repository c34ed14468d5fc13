/** Every limit of the model, in one place. The documentation prints this table. */
export const LIMITS = {
  /** Characters in docs.json or in one of its parts. */
  configSizeMax: 16 * 1024 * 1024,
  /** Nesting of values in a JSON or YAML text. */
  jsonDepthMax: 128,
  /** Files that one docs.json may be split into with `$ref`. */
  configPartsMax: 1_000,
  /** Values in docs.json once its parts are put together. */
  configValuesMax: 2_000_000,
  /** Levels of navigation below the root: divisions and groups together. */
  navigationDepthMax: 32,
  /** Characters in one entry of `pages`. */
  pageEntryLengthMax: 2_000,
  /** Characters in the frontmatter of one page. */
  frontmatterSizeMax: 64 * 1024,
  /** Redirect hops that are followed before a chain counts as endless. */
  redirectHopsMax: 32,
  /** Characters in a path that redirects are looked up for. */
  redirectPathLengthMax: 2_000,
  /** Labels of access that the pages of one site have, `public` and `default` among them. */
  accessLabelsMax: 64,
  /** Problems listed in one report; the rest are counted. */
  diagnosticsMax: 20_000,
} as const

/** A whole number as people read it: 20,000. Written out: to ask `Intl` for it takes 10 ms once. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
