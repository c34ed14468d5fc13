/**
 * The results of `octavo test` for one page, which the page reads when a reader views it. They are
 * not part of the deployment: its manifest lists only what was derived from the source.
 */
export type PageProof = {
  /** When the samples ran. */
  readonly date: string
  /** The starts of the hashes of samples that passed, by language. */
  readonly passed: Readonly<Record<string, readonly string[]>>
}

/** The folder of these results, which has a JSON file for each page with samples. */
export const PROOF_FOLDER = '_octavo/proof/'

/** The number of hexadecimal digits of a hash that pages and results contain. */
export const SAMPLE_HASH_LENGTH = 12

/** A sample in a file `octavo-proof/1`. */
export type ProvenSample = {
  readonly pages: readonly string[]
  readonly language: string
  readonly sha256: string
  readonly outcome: 'passed' | 'failed' | 'not-run'
}

type Passed = Readonly<Record<string, readonly string[]>>

/** Returns the samples that passed, by page. Pages without such samples are omitted. */
export function passedByPage(samples: readonly ProvenSample[]): ReadonlyMap<string, Passed> {
  const passed = samples.flatMap(({ pages, language, sha256, outcome }) => {
    const hash = sha256.slice(0, SAMPLE_HASH_LENGTH)
    return outcome === 'passed' ? pages.map((page) => ({ page, language, hash })) : []
  })
  const pages = Map.groupBy(passed, ({ page }) => page)
  return new Map(
    [...pages].map(([page, own]) => {
      const languages = Map.groupBy(own, ({ language }) => language)
      const hashes = [...languages].map(([language, same]) => {
        return [language, [...new Set(same.map(({ hash }) => hash))]] as const
      })
      return [page, Object.fromEntries(hashes)]
    }),
  )
}
