/** Resolves icon names to drawings. */
import { correctionOf, nearest } from '@octavo/model'
import { findSymbol, type IconSymbol, type ReadIconSet } from './icon-set.ts'
import { PAID_ICONS } from './paid-icons.ts'
import { type IconChoice, type IconHint, parseIconName } from './parse-icon-name.ts'

export type IconLibrary = {
  /** Returns the drawing of a name; undefined if no set has the name. */
  readonly find: (written: string, hint?: IconHint) => IconSymbol | undefined
  /** Suggests a similar name that exists. */
  readonly guess: (written: string, hint?: IconHint) => string | undefined
  /** Returns the existing name that a quick fix may insert. */
  readonly correct: (written: string, hint?: IconHint) => string | undefined
}

export type IconLibraryInput = {
  readonly readSet: ReadIconSet
  /** The value of `icons.library` in docs.json; Font Awesome by default. */
  readonly library?: string | undefined
}

/** The maximum number of cached names; a site has a few hundred. */
const KNOWN_MAX = 5_000

export function createIconLibrary({ readSet, library }: IconLibraryInput): IconLibrary {
  const known = new Map<string, IconSymbol | undefined>()
  const guessed = new Map<string, string | undefined>()
  const corrected = new Map<string, string | undefined>()

  function search({ names, sets }: IconChoice): IconSymbol | undefined {
    for (const name of names) {
      for (const set of sets) {
        const symbol = findSymbol(readSet(set), set, name)
        if (symbol !== undefined) return symbol
      }
    }
    const free = names.map((name) => PAID_ICONS.get(name)).find((it) => it !== undefined)
    return free && findSymbol(readSet(free.set), free.set, free.name)
  }

  function compare({ names, sets }: IconChoice): string | undefined {
    const name = names.at(-1) ?? ''
    for (const set of sets) {
      const found = similarName(name, Object.keys(readSet(set).icons))
      if (found !== undefined) return found
    }
    return undefined
  }

  function correct({ names, sets }: IconChoice): string | undefined {
    return correctionOf(
      names.at(-1) ?? '',
      sets.flatMap((set) => Object.keys(readSet(set).icons)),
    )
  }

  /** Caches results, since the same icons and mistakes occur on many pages. */
  function remember<Answer>(
    answers: Map<string, Answer | undefined>,
    answer: (choice: IconChoice) => Answer | undefined,
  ) {
    return (written: string, hint: IconHint = {}): Answer | undefined => {
      const key = `${hint.library ?? ''}\n${hint.type ?? ''}\n${written}`
      if (answers.has(key)) return answers.get(key)
      const choice = parseIconName(written, { type: hint.type, library: hint.library ?? library })
      const found = choice && answer(choice)
      if (answers.size >= KNOWN_MAX) answers.clear()
      answers.set(key, found)
      return found
    }
  }

  return {
    find: remember(known, search),
    guess: remember(guessed, compare),
    correct: remember(corrected, correct),
  }
}

/**
 * Finds a similar existing name. Prefers a longer name: `cart` more likely means `cart-plus` than
 * `car`. Otherwise, only one edit is allowed: most unknown names are real words, and more edits
 * turn one word into another.
 */
function similarName(name: string, names: readonly string[]): string | undefined {
  const longer = names.filter((one) => one.startsWith(`${name}-`) || one.endsWith(`-${name}`))
  const shortest = longer.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
  return shortest ?? nearest(name, names, 1)
}
