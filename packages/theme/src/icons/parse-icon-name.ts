import type { IconSetName } from './icon-set.ts'

/** Options besides the name: `iconType` or `style`, and a library. */
export type IconHint = {
  readonly type?: string | undefined
  readonly library?: string | undefined
}

/** Names to look for and sets to search, best first. */
export type IconChoice = {
  readonly names: readonly string[]
  readonly sets: readonly IconSetName[]
}

const NAME_LENGTH_MAX = 100

/** `fas`, `fab`: the short prefixes of Font Awesome 5. */
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
 * `lucide:rocket`, `fa-brands:github`, `ArrowRight`. Undefined if it cannot be a name.
 */
export function parseIconName(written: string, hint: IconHint = {}): IconChoice | undefined {
  const text = written.trim()
  if (text === '' || text.length > NAME_LENGTH_MAX) return undefined
  const words = text.split(/[\s:]+/).filter((word) => word !== '')
  // A single word is always a name, even if it could be a style.
  const marks = words.length < 2 ? [] : words.map(markOf).filter((mark) => mark !== undefined)
  const rest = words.length < 2 ? words : words.filter((word) => markOf(word) === undefined)
  const name = nameAmong(rest, text.includes(':'))
  if (name === undefined) return undefined
  const { type, library } = marks.at(-1) ?? hint
  const prefix = /^(lucide|tabler)-/i.exec(name)?.[1]?.toLowerCase()
  return { names: spellings(name), sets: setsFor(type, prefix ?? library) }
}

/** The style or library that a word stands for. */
function markOf(word: string): IconHint | undefined {
  const lower = word.toLowerCase()
  if (lower === 'lucide' || lower === 'tabler') return { library: lower }
  const type = Object.hasOwn(SHORT_STYLES, lower)
    ? SHORT_STYLES[lower]
    : STYLE.exec(lower)?.[1]?.replace(/^brand$/, 'brands')
  return type === undefined ? undefined : { type, library: 'fontawesome' }
}

/**
 * In `fa-rocket fa-2x`, later words only change the appearance. In `mdi:home`, the name may still
 * be known.
 */
function nameAmong(words: readonly string[], hasPrefix: boolean): string | undefined {
  const own = words.find((word) => /^fa-/i.test(word))
  if (own !== undefined || words.length === 0) return own
  return hasPrefix ? words.at(-1) : words.join('-')
}

/** Returns the name as written, in kebab case, and without its library prefix. */
function spellings(name: string): readonly string[] {
  const kebab = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[\s_]+/g, '-')
    .toLowerCase()
  const bare = kebab.replace(/^(?:fa|lucide|tabler|icon)-/, '')
  return [...new Set([name, name.toLowerCase(), kebab, bare])]
}

/** The chosen library first, then the others: a different style is better than no icon. */
function setsFor(type: string | undefined, library: string | undefined): readonly IconSetName[] {
  const fontAwesome = fontAwesomeSets(type ?? '')
  if (type === 'brands') return [...fontAwesome, 'lucide', 'tabler']
  if (library === 'lucide') return ['lucide', ...fontAwesome, 'tabler']
  if (library === 'tabler') return ['tabler', ...fontAwesome, 'lucide']
  return [...fontAwesome, 'lucide', 'tabler']
}

/** The free edition has three styles; the closest one replaces the others. */
function fontAwesomeSets(type: string): readonly IconSetName[] {
  if (type === 'brands') return ['brands', 'solid', 'regular']
  if (/regular|light|thin/.test(type)) return ['regular', 'solid', 'brands']
  return ['solid', 'brands', 'regular']
}
