import { type Diagnostic, diagnose, type Place } from '@octavo/model'
import type { IconHint, IconLibrary } from '@octavo/theme'

/**
 * Maximum number of icon names per page for which a place and a suggestion are searched, because
 * searching is slow.
 */
const SEARCHED_MAX = 20

type ReadText = (path: string) => string | undefined

/** Collects names of icons that are in no icon set, and reports them. */
export class MissingIcons {
  readonly #library: IconLibrary
  readonly #names = new Map<string, IconHint>()

  constructor(library: IconLibrary) {
    this.#library = library
  }

  readonly add = (name: string, hint: IconHint): void => {
    if (!this.#names.has(name)) this.#names.set(name, hint)
  }

  /** Returns one diagnostic for each name, at its place in the first file that contains it. */
  diagnose(files: readonly string[], read: ReadText): readonly Diagnostic[] {
    return [...this.#names].map(([name, hint], index) => {
      const isSearched = index < SEARCHED_MAX
      const guess = isSearched ? this.#library.guess(name, hint) : undefined
      const isExact = guess !== undefined && this.#library.correct(name, hint) === guess
      const place = isSearched ? findName(name, files, read) : undefined
      return diagnose('icon/unknown', place ?? { file: files[0] ?? '', line: 1, column: 1 }, {
        message: `Unknown icon \`${name}\`; no icon is shown.`,
        hint:
          guess === undefined
            ? 'Use a name from Font Awesome Free, Lucide or Tabler, or the path of an image.'
            : `Did you mean \`${guess}\`?`,
        fix: isExact && place !== undefined ? { find: name, put: guess } : undefined,
      })
    })
  }
}

/**
 * Searches the files for a name. Recording the place of every icon instead would slow down all
 * pages.
 */
function findName(name: string, files: readonly string[], read: ReadText): Place | undefined {
  let elsewhere: Place | undefined
  for (const file of files) {
    const text = read(file) ?? ''
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = text.slice(text.lastIndexOf('\n', at) + 1, at)
      // A place after an attribute name is preferred, because the name may also occur as a word in
      // prose.
      if (/(?:icon|name|src)["']?\s*[:=]\s*\{?\s*["']?$/i.test(before)) {
        return placeIn(file, text, at)
      }
      elsewhere ??= placeIn(file, text, at)
    }
  }
  return elsewhere
}

function placeIn(file: string, text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
