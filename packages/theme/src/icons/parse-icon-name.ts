import type { IconSetName } from './icon-set.ts'

/** Options that accompany the name: `iconType` or `style`, and a library. */
export type IconHint = {
  readonly type?: string | undefined
  readonly library?: string | undefined
}

/** The names to look for and the sets to search, both in order of preference. */
export type IconChoice = {
  readonly names: readonly string[]
  readonly sets: readonly IconSetName[]
}

const NAME_LENGTH_MAX = 100

/** The short prefixes of Font Awesome 5, such as `fas` and `fab`. */
const SHORT_STYLES: Readonly<Record<string, string>> = {
  fa: 'solid',
  fas: 'solid',
  far: 'regular',
  fal: 'light',
  fat: 'thin',
  fad: 'duotone',
  fab: 'brands',
}
const STYLE =
  /^(?:fa[67]?-)?(solid|regular|brands?|light|thin|duotone|sharp(?:-(?:duotone-)?\w+)?)$/

/**
 * Parses a name as authors write it: `rocket`, `fa-rocket`, `fa-solid fa-rocket`, `fas fa-rocket`,
 * `lucide:rocket`, `fa-brands:github`, `ArrowRight`. Returns undefined for text that cannot be a
 * name.
 */
export function parseIconName(written: string, hint: IconHint = {}): IconChoice | undefined {
  const text = written.trim()
  if (text === '' || text.length > NAME_LENGTH_MAX) return undefined
  const words = text.split(/[\s:]+/).filter((word) => word !== '')
  // A single word is always the name, even if it could also be a style.
  const marks = words.length < 2 ? [] : words.map(markOf).filter((mark) => mark !== undefined)
  const rest = words.length < 2 ? words : words.filter((word) => markOf(word) === undefined)
  const name = nameAmong(rest, text.includes(':'))
  if (name === undefined) return undefined
  const { type, library } = marks.at(-1) ?? hint
  const prefix = /^(lucide|tabler)-/i.exec(name)?.[1]?.toLowerCase()
  return { names: spellings(name), sets: setsFor(type, prefix ?? library) }
}

/** Returns the style or library that a word refers to. */
function markOf(word: string): IconHint | undefined {
  const lower = word.toLowerCase()
  if (lower === 'lucide' || lower === 'tabler') return { library: lower }
  const type = Object.hasOwn(SHORT_STYLES, lower)
    ? SHORT_STYLES[lower]
    : STYLE.exec(lower)?.[1]?.replace(/^brand$/, 'brands')
  return type === undefined ? undefined : { type, library: 'fontawesome' }
}

/**
 * Returns the word that is the name. In `fa-rocket fa-2x`, later words only change the appearance;
 * after a prefix as in `mdi:home`, only the last word can be a known name.
 */
function nameAmong(words: readonly string[], hasPrefix: boolean): string | undefined {
  const own = words.find((word) => /^fa-/i.test(word))
  if (own !== undefined || words.length === 0) return own
  return hasPrefix ? words.at(-1) : words.join('-')
}

/**
 * Returns possible spellings of a name: as written, in lower case, in kebab case, and without its
 * library prefix.
 */
function spellings(name: string): readonly string[] {
  const kebab = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[\s_]+/g, '-')
    .toLowerCase()
  const bare = kebab.replace(/^(?:fa|lucide|tabler|icon)-/, '')
  return [...new Set([name, name.toLowerCase(), kebab, bare])]
}

/**
 * Returns the sets to search: the chosen library first, then the others, because a different style
 * is better than no icon.
 */
function setsFor(type: string | undefined, library: string | undefined): readonly IconSetName[] {
  const fontAwesome = fontAwesomeSets(type ?? '')
  if (type === 'brands') return [...fontAwesome, 'lucide', 'tabler']
  if (library === 'lucide') return ['lucide', ...fontAwesome, 'tabler']
  if (library === 'tabler') return ['tabler', ...fontAwesome, 'lucide']
  return [...fontAwesome, 'lucide', 'tabler']
}

/**
 * Returns the sets for a Font Awesome style. The free edition has three styles; other styles fall
 * back to the closest one.
 */
function fontAwesomeSets(type: string): readonly IconSetName[] {
  if (type === 'brands') return ['brands', 'solid', 'regular']
  if (/regular|light|thin/.test(type)) return ['regular', 'solid', 'brands']
  return ['solid', 'brands', 'regular']
}
