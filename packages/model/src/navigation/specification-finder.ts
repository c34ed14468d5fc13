/**
 * Finds the specification file that an author means. Real repositories omit the extension or write
 * `../`. Such a name is accepted with a warning if only one file matches, or if one file is nearer
 * than all others. Hundreds of pages use the same name, so each name is reported only once.
 */
import { isHosted } from '../config/api.ts'
import { diagnose, moreOccurrences, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { joinPath } from '../text/join-path.ts'
import { didYouMean } from '../text/nearest.ts'
import type { SiteFacts } from './site-facts.ts'

const EXTENSIONS = ['.json', '.yaml', '.yml']

/** The maximum number of files listed in the message about an ambiguous name. */
const LISTED_MAX = 3

type Candidate = {
  readonly file: string
  /** The folder relative to which the name is the file's path, with a trailing slash. */
  readonly base: string
}

/** A name that is not the exact path of a file, with the first place where it occurs. */
type InexactName = {
  readonly written: string
  readonly meant: string | undefined
  readonly place: Place
  more: number
}

export class SpecificationFinder {
  readonly #facts: SiteFacts
  readonly #report: Report
  readonly #candidates = new Map<string, readonly Candidate[]>()
  readonly #inexact = new Map<string, InexactName>()

  constructor(facts: SiteFacts, report: Report) {
    this.#facts = facts
    this.#report = report
  }

  /** Returns the path in the repository, or the URL; returns undefined if there is no such file. */
  find(written: string, place: () => Place): string | undefined {
    const source = normalizeSource(written)
    if (isHosted(written) || this.#facts.hasFile(source)) return source
    const at = place()
    const meant = nearestTo(at.file, this.#candidatesFor(written))
    const key = `${meant ?? ''}\n${written}`
    const known = this.#inexact.get(key)
    if (known === undefined) this.#inexact.set(key, { written, meant, place: at, more: 0 })
    else known.more += 1
    return meant
  }

  /** Reports all names that are not exact. Must be called after all names have been looked up. */
  reportNames(): void {
    for (const name of this.#inexact.values()) {
      if (name.meant === undefined) this.#reportMissing(name)
      else this.#reportLoose(name, name.meant)
    }
  }

  #reportLoose({ written, place, more }: InexactName, meant: string): void {
    const exact = written.startsWith('/') ? `/${meant}` : meant
    const isOnly = this.#candidatesFor(written).length === 1
    const why = isOnly
      ? 'another file with that name would make it ambiguous'
      : 'other files match too'
    this.#report(
      diagnose('openapi/loose-reference', place, {
        message: `"${written}" is interpreted as ${meant}.${moreOccurrences(more)}`,
        hint: `Write "${exact}": ${why}.`,
      }),
    )
  }

  #reportMissing({ written, place, more }: InexactName): void {
    const files = this.#candidatesFor(written).map(({ file }) => file)
    const listed = files.slice(0, LISTED_MAX).join(', ')
    const text =
      files.length > 0
        ? {
            message: `"${written}" is ambiguous: it matches ${files.length} files.`,
            hint: `Write the full path of one of them: ${listed}${files.length > LISTED_MAX ? ', …' : '.'}`,
          }
        : {
            message: `The specification "${written}" does not exist in the repository.`,
            hint: didYouMean(
              normalizeSource(written),
              this.#facts.specificationFiles(),
              'Write its path from the root of the documentation, or its URL.',
            ),
          }
    const message = `${text.message}${moreOccurrences(more)}`
    this.#report(diagnose('openapi/missing-specification', place, { ...text, message }))
  }

  /** Returns files whose path ends with the name, with or without the extension. */
  #candidatesFor(written: string): readonly Candidate[] {
    const known = this.#candidates.get(written)
    if (known !== undefined) return known
    const path = written.replace(/^(?:\.\.?\/|\/)+/, '')
    const endings = path === '' ? [] : ['', ...EXTENSIONS].map((extension) => `${path}${extension}`)
    const found = this.#facts.specificationFiles().flatMap((file): readonly Candidate[] => {
      const ending = endings.find((end) => file === end || file.endsWith(`/${end}`))
      return ending === undefined ? [] : [{ file, base: file.slice(0, -ending.length) }]
    })
    this.#candidates.set(written, found)
    return found
  }
}

/**
 * Returns the only candidate, or else the candidate whose base is the nearest folder above the file
 * that uses the name.
 */
function nearestTo(from: string, candidates: readonly Candidate[]): string | undefined {
  const [first, second] = candidates
  if (second === undefined) return first?.file
  const above = candidates.filter(({ base }) => from.startsWith(base))
  const depth = Math.max(...above.map(({ base }) => base.length))
  const [near, other] = above.filter(({ base }) => base.length === depth)
  return other === undefined ? near?.file : undefined
}

/** Normalizes a path: `/api/a.json`, `./api/a.json` and `api/a.json` become the same path. */
export function normalizeSource(source: string): string {
  if (isHosted(source)) return source
  return joinPath('', source) ?? source
}
