import type { IconSetName } from './icon-set.ts'

/** What stands beside the name: `iconType` or `style`, and a library of its own. */
export type IconHint = {
  readonly type?: string | undefined
  readonly library?: string | undefined
}

/** Names to look for, and the sets to look in, the best first. */
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
 * Reads a name as authors write it: `rocket`, `fa-rocket`, `fa-solid fa-rocket`, `fas fa-rocket`,
 * `lucide:rocket`, `fa-brands:github`, `ArrowRight`. Nothing for what cannot be a name.
 */
export function parseIconName(written: string, hint: IconHint = {}): IconChoice | undefined {
  const text = written.trim()
  if (text === '' || text.length > NAME_LENGTH_MAX) return undefined
  let { type, library } = hint
  let name = ''
  for (const word of text.split(/[\s:]+/)) {
    const lower = word.toLowerCase()
    const style = styleOf(lower)
    if (style !== undefined && word !== text) {
      type = style
      library = 'fontawesome'
    } else if (lower === 'lucide' || lower === 'tabler') library = lower
    else if (name === '' || lower.startsWith('fa-')) name = name === '' ? word : name
    // `mdi:home` is of a set that we do not have; its name may be in one that we do.
    else if (text.includes(':')) name = word
  }
  if (name === '') name = text
  library = /^(lucide|tabler)-/i.exec(name)?.[1]?.toLowerCase() ?? library
  return { names: spellings(name), sets: setsFor(type, library) }
}

function styleOf(word: string): string | undefined {
  if (Object.hasOwn(SHORT_STYLES, word)) return SHORT_STYLES[word]
  return STYLE.exec(word)?.[1]
}

/** As written, without what only marks the library, and in the spelling that all sets use. */
function spellings(name: string): readonly string[] {
  const kebab = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[\s_]+/g, '-')
    .toLowerCase()
  return [
    ...new Set([name, name.toLowerCase(), kebab, kebab.replace(/^(?:fa|lucide|tabler|icon)-/, '')]),
  ]
}

/** The library that was chosen, then the others: a name is better drawn by another hand than not. */
function setsFor(type: string | undefined, library: string | undefined): readonly IconSetName[] {
  const fontAwesome = fontAwesomeSets(type ?? '')
  if (type === 'brands' || type === 'brand') return [...fontAwesome, 'lucide', 'tabler']
  if (library === 'lucide') return ['lucide', ...fontAwesome, 'tabler']
  if (library === 'tabler') return ['tabler', ...fontAwesome, 'lucide']
  return [...fontAwesome, 'lucide', 'tabler']
}

/** The free edition has three styles; the nearest one stands for the others. */
function fontAwesomeSets(type: string): readonly IconSetName[] {
  if (/^brands?$/.test(type)) return ['brands', 'solid', 'regular']
  if (/regular|light|thin/.test(type)) return ['regular', 'solid', 'brands']
  return ['solid', 'brands', 'regular']
}
