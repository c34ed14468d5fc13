/**
 * The specification that an author names → the file that is meant. Real repositories leave the
 * extension off and write `../`: what can mean only one file is understood, with a word about it.
 */
import { isHosted } from '../config/api.ts'
import { diagnose, type Place, type Report } from '../diagnostic.ts'
import { didYouMean } from '../nearest.ts'
import { joinPath } from '../routes/join-path.ts'
import type { SiteFacts } from './site-facts.ts'

const EXTENSIONS = ['.json', '.yaml', '.yml']

export class SpecificationFinder {
  readonly #facts: SiteFacts
  readonly #report: Report
  readonly #meant = new Map<string, string | undefined>()

  constructor(facts: SiteFacts, report: Report) {
    this.#facts = facts
    this.#report = report
  }

  /** Its path in the repository, or its address. Nothing when there is no such file; reported. */
  find(written: string, place: () => Place): string | undefined {
    const located = this.locate(written, place)
    if (located !== undefined && !located.isExact) {
      const { source } = located
      this.#report(
        diagnose('openapi/loose-reference', place(), {
          message: `"${written}" is taken to mean ${source}.`,
          hint: `Write "${source}": another file of that name would make it unclear.`,
        }),
      )
    }
    return located?.source
  }

  /** The same for a caller that says itself what is not exact. */
  locate(
    written: string,
    place: () => Place,
  ): { readonly source: string; readonly isExact: boolean } | undefined {
    const source = normalizeSource(written)
    if (isHosted(written) || this.#facts.hasFile(source)) return { source, isExact: true }
    const meant = this.#meantBy(written)
    if (meant !== undefined) return { source: meant, isExact: false }
    this.#reportMissing(written, place)
    return undefined
  }

  #reportMissing(written: string, place: () => Place): void {
    const candidates = this.#candidates(written).slice(0, 3)
    const files = this.#facts.specificationFiles()
    this.#report(
      diagnose('openapi/missing-specification', place(), {
        message: `There is no specification "${written}" in the repository.`,
        hint:
          candidates.length > 0
            ? `Write which one is meant: ${candidates.join(', ')}, …`
            : didYouMean(
                normalizeSource(written),
                files,
                'Write its path from the root of the documentation, or the address of a hosted one.',
              ),
      }),
    )
  }

  /** The one file that a name without its extension, or from another folder, can mean. */
  #meantBy(written: string): string | undefined {
    if (this.#meant.has(written)) return this.#meant.get(written)
    const [first, second] = this.#candidates(written)
    const meant = second === undefined ? first : undefined
    this.#meant.set(written, meant)
    return meant
  }

  #candidates(written: string): readonly string[] {
    const path = written.replace(/^(?:\.\.?\/|\/)+/, '')
    if (path === '') return []
    const endings = ['', ...EXTENSIONS].map((extension) => `${path}${extension}`)
    const files = this.#facts.specificationFiles()
    return files.filter((file) =>
      endings.some((ending) => file === ending || file.endsWith(`/${ending}`)),
    )
  }
}

/** `/api/a.json`, `./api/a.json` and `api/a.json` are one file. */
export function normalizeSource(source: string): string {
  if (isHosted(source)) return source
  return joinPath('', source) ?? source
}
