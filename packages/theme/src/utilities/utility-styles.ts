/**
 * Generates styles for the utility classes of a page. Authors know these classes from Tailwind CSS
 * 3, which is built into the product that many sites migrate from. All other classes are the
 * author's own and are ignored.
 */
import { FAMILIES, type Family } from './value-utilities.ts'
import { WORD_UTILITIES } from './word-utilities.ts'

/*
 * Our own styles are in a cascade layer and utility styles are not, so utility styles win. An
 * author's stylesheet comes later and wins over both.
 */
const BETWEEN_CHILDREN = '>:not([hidden])~:not([hidden])'

/**
 * In a custom design (`mode: custom`, or an element with `not-prose`), an element with a class has
 * no default text styles, such as margins or underlined links. Only its classes apply.
 */
const BARE = ':is(.oct-bare,.not-prose)'
const BARE_STYLES = `@layer octavo-bare{${[
  `${BARE} :where(h1,h2,h3,h4,h5,h6,p,ul,ol,figure)[class]{margin:0}`,
  `${BARE} :where(a)[class]{color:inherit;text-decoration:none}`,
  `${BARE} :is(a,button,.flex,.inline-flex,.grid)>p{margin:0}`,
].join('')}}`

/**
 * Defaults that utility classes rely on: elements have no borders or backgrounds. Our own styles
 * override these defaults.
 */
const RESET =
  '@layer base{.oct-content :where(:not(hr)){border:0 solid var(--oct-line)}.oct-content :where(button,input,select,textarea)[class]{padding:0;background:none;border-radius:0}}'

const SCREENS: Readonly<Record<string, string>> = {
  sm: '640px',
  md: '768px',
  lg: '1024px',
  xl: '1280px',
  '2xl': '1536px',
}

/** States of an element, in the order of the stylesheet. */
const STATES: Readonly<Record<string, string>> = {
  first: ':first-child',
  last: ':last-child',
  odd: ':nth-child(odd)',
  even: ':nth-child(even)',
  visited: ':visited',
  open: '[open]',
  'focus-within': ':focus-within',
  hover: ':hover',
  focus: ':focus',
  'focus-visible': ':focus-visible',
  active: ':active',
  disabled: ':disabled',
}

const CONDITIONS: Readonly<Record<string, string>> = {
  'motion-safe': '(prefers-reduced-motion:no-preference)',
  'motion-reduce': '(prefers-reduced-motion:reduce)',
  print: 'print',
  ...Object.fromEntries(
    Object.entries(SCREENS).map(([name, width]) => [name, `(min-width:${width})`]),
  ),
  ...Object.fromEntries(
    Object.entries(SCREENS)
      .toReversed()
      .map(([name, width]) => [`max-${name}`, `(max-width:calc(${width} - .02px))`]),
  ),
}

type Utility = {
  readonly css: string
  readonly isBetween: boolean
  /** The position of the rule in the stylesheet. */
  readonly place: number
}

const WORD_PLACES = new Map(Object.keys(WORD_UTILITIES).map((word, index) => [word, index]))
const BY_PREFIX = new Map<string, (readonly [family: Family, place: number])[]>()
for (const [index, family] of FAMILIES.entries()) {
  const others = BY_PREFIX.get(family.prefix) ?? []
  BY_PREFIX.set(family.prefix, [...others, [family, WORD_PLACES.size + index]])
}

type Rule = {
  readonly selector: string
  readonly css: string
  readonly isDark: boolean
  readonly conditions: readonly string[]
  readonly order: readonly number[]
}

export function utilityStyles(classes: Iterable<string>): string {
  const rules = [...new Set(classes)]
    .flatMap((name) => readClass(name) ?? [])
    .sort((a, b) => compare(a, b))
  let css = rules.length === 0 ? '' : RESET + BARE_STYLES
  for (const { selector, css: declarations, isDark, conditions } of rules) {
    const rule = (start: string) => `${start}${selector}{${declarations}}`
    if (!isDark) {
      css += within(conditions, rule(''))
      continue
    }
    // The reader's choice decides, or else the color scheme of the system.
    css += within(conditions, rule('[data-theme=dark] '))
    const bySystem = [...conditions, '(prefers-color-scheme:dark)']
    css += within(bySystem, rule(':root:not([data-theme]) '))
  }
  return css
}

/** Checks whether `utilityStyles` supports a class. */
export function isUtility(name: string): boolean {
  return readClass(name) !== undefined
}

function within(conditions: readonly string[], rule: string): string {
  return conditions.length === 0 ? rule : `@media ${conditions.join(' and ')}{${rule}}`
}

function compare(a: Rule, b: Rule): number {
  for (const [index, place] of a.order.entries()) {
    const difference = place - (b.order[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.selector < b.selector ? -1 : 1
}

const NAME_LENGTH_MAX = 80

/** Parses a class such as `dark:md:hover:bg-gray-900`, with `!` for `!important`. */
function readClass(name: string): Rule | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined
  const parts = name.split(':')
  const written = parts.pop() ?? ''
  const isImportant = written.startsWith('!')
  // Pages from the product that many sites migrate from have this prefix before class names.
  const utility = findUtility(written.replace(/^!/, '').replace(/^mint-/, ''))
  if (utility === undefined) return undefined
  let states = ''
  let before = ''
  let isDark = false
  const conditions: string[] = []
  const order = [0, 0]
  for (const variant of parts) {
    if (variant === 'dark') isDark = true
    else if (variant === 'group-hover') before = '.group:hover '
    else if (Object.hasOwn(STATES, variant)) {
      states += STATES[variant]
      order[1] = Math.max(order[1] ?? 0, 1 + Object.keys(STATES).indexOf(variant))
    } else if (Object.hasOwn(CONDITIONS, variant)) {
      conditions.push(CONDITIONS[variant] ?? '')
      order[0] = Math.max(order[0] ?? 0, 1 + Object.keys(CONDITIONS).indexOf(variant))
    } else return undefined
  }
  const selector = `${before}.${escapeName(name)}${states}${utility.isBetween ? BETWEEN_CHILDREN : ''}`
  const css = isImportant ? utility.css.replaceAll(/(?=;|$)/g, '!important') : utility.css
  return { selector, css, isDark, conditions, order: [...order, isDark ? 1 : 0, utility.place] }
}

function findUtility(name: string): Utility | undefined {
  const place = WORD_PLACES.get(name)
  if (place !== undefined) return { css: WORD_UTILITIES[name] ?? '', isBetween: false, place }
  const whole = findValue(name, '')
  if (whole !== undefined) return whole
  for (let dash = name.indexOf('-', 1); dash > 0; dash = name.indexOf('-', dash + 1)) {
    const found = findValue(name.slice(0, dash), name.slice(dash + 1))
    if (found !== undefined) return found
  }
  return undefined
}

function findValue(prefix: string, value: string): Utility | undefined {
  for (const [family, place] of BY_PREFIX.get(prefix) ?? []) {
    const css = family.css(value)
    if (css !== undefined) return { css, isBetween: family.isBetween === true, place }
  }
  return undefined
}

/** Escapes a class name for CSS. */
function escapeName(name: string): string {
  return name.replaceAll(/[^\w-]/g, (sign) => `\\${sign}`).replace(/^\d/, (digit) => `\\3${digit} `)
}
