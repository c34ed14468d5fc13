import { type Diagnostic, diagnose, type Place } from '@octavo/model'
import type { IconHint, IconLibrary } from '@octavo/theme'

/** Limits the names per page that are searched in texts and libraries, since both are slow. */
const SEARCHED_MAX = 20

type ReadText = (path: string) => string | undefined

/** Names of icons that no set contains, with their places. */
export class MissingIcons {
  readonly #library: IconLibrary
  readonly #names = new Map<string, IconHint>()

  constructor(library: IconLibrary) {
    this.#library = library
  }

  readonly add = (name: string, hint: IconHint): void => {
    if (!this.#names.has(name)) this.#names.set(name, hint)
  }

  /** Returns one diagnostic per name, at the first file that contains it. */
  diagnose(files: readonly string[], read: ReadText): readonly Diagnostic[] {
    return [...this.#names].map(([name, hint], index) => {
      const isSearched = index < SEARCHED_MAX
      const guess = isSearched ? this.#library.guess(name, hint) : undefined
      const place = isSearched ? findName(name, files, read) : undefined
      return diagnose('icon/unknown', place ?? { file: files[0] ?? '', line: 1, column: 1 }, {
        message: `Unknown icon \`${name}\`; no icon is shown.`,
        hint:
          guess === undefined
            ? 'Use a name from Font Awesome Free, Lucide or Tabler, or the path of an image.'
            : `Did you mean \`${guess}\`?`,
      })
    })
  }
}

/** Searches the text for a name: recording the place of every icon would slow down all pages. */
function findName(name: string, files: readonly string[], read: ReadText): Place | undefined {
  let elsewhere: Place | undefined
  for (const file of files) {
    const text = read(file) ?? ''
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const before = text.slice(text.lastIndexOf('\n', at) + 1, at)
      // The same word may appear earlier in the prose.
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
