/** The one place where a name becomes a drawing. */
import { nearest } from '@octavo/model'
import { findSymbol, type IconSymbol, type ReadIconSet } from './icon-set.ts'
import { PAID_ICONS } from './paid-icons.ts'
import { type IconHint, parseIconName } from './parse-icon-name.ts'

export type IconLibrary = {
  /** Nothing for a name that no set has. */
  readonly find: (written: string, hint?: IconHint) => IconSymbol | undefined
  /** A name of the chosen library that looks like it. */
  readonly guess: (written: string, hint?: IconHint) => string | undefined
}

export type IconLibraryInput = {
  readonly readSet: ReadIconSet
  /** `icons.library` of docs.json; Font Awesome where nothing is said. */
  readonly library?: string | undefined
}

/** Names that are remembered; a site has a few hundred. */
const KNOWN_MAX = 5_000

export function createIconLibrary({ readSet, library }: IconLibraryInput): IconLibrary {
  const known = new Map<string, IconSymbol | undefined>()

  function choose(written: string, hint: IconHint) {
    return parseIconName(written, { type: hint.type, library: hint.library ?? library })
  }

  function search(written: string, hint: IconHint): IconSymbol | undefined {
    const choice = choose(written, hint)
    if (choice === undefined) return undefined
    for (const name of choice.names) {
      for (const set of choice.sets) {
        const symbol = findSymbol(readSet(set), set, name)
        if (symbol !== undefined) return symbol
      }
    }
    const stead = choice.names.map((name) => PAID_ICONS.get(name)).find((it) => it !== undefined)
    return stead && findSymbol(readSet(stead.set), stead.set, stead.name)
  }

  return {
    find(written, hint = {}) {
      const key = `${hint.library ?? ''}\n${hint.type ?? ''}\n${written}`
      if (known.has(key)) return known.get(key)
      const symbol = search(written, hint)
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(key, symbol)
      return symbol
    },
    guess(written, hint = {}) {
      const choice = choose(written, hint)
      const name = choice?.names.at(-1)
      if (choice === undefined || name === undefined) return undefined
      for (const set of choice.sets) {
        const found = similarName(name, Object.keys(readSet(set).icons))
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

/** `cart` is more likely `cart-plus` than `car`; else the one with the fewest slips. */
function similarName(name: string, names: readonly string[]): string | undefined {
  const longer = names.filter((one) => one.startsWith(`${name}-`) || one.endsWith(`-${name}`))
  const shortest = longer.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
  return shortest ?? nearest(name, names)
}
