/**
 * Compares our utility classes (decision 0019) with UnoCSS, for the classes of real pages.
 * Compares known classes, generated styles, speed, and what a hostile class can do. UnoCSS uses its
 * preset for Tailwind CSS 3 and is configured as we would ship it: its rules apply below
 * `.oct-content`, with our dark scheme and colors. Tailwind CSS 3 decides which classes are its
 * own.
 *
 *   npm run lab bench/utilities -- corpus --unocss folder [--tailwind folder] [--rounds 9] [--names 40]
 *     [--preflight no|on-demand|yes]
 *
 * `corpus` is a folder of sites (or one with `unpack.sh`). The others are folders in which the
 * peers are installed (`npm install @unocss/core @unocss/preset-wind3`,
 * `npm install tailwindcss@3 postcss`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isUtility, utilityStyles } from '../../packages/theme/src/utilities/utility-styles.ts'
import { withCorpus } from '../parts/corpus-folder.ts'

type Page = { readonly site: string; readonly classes: readonly string[] }
type Tool = {
  readonly name: string
  readonly knows: (name: string) => Promise<boolean>
  readonly stylesOf: (classes: readonly string[]) => Promise<string>
}
type Generated = { readonly css: string; readonly matched: ReadonlySet<string> }
type Uno = {
  readonly generate: (input: ReadonlySet<string>, options: object) => Promise<Generated>
}
type Input = { readonly prefix: string; readonly selector: string; readonly parent?: string }

/** Matches a class with the characters that `PageNotes` accepts. */
const CLASS = /[^\s"'`<>{}=;,]+/g
const ATTRIBUTE = /\bclass(?:Name)?=(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`))/g
const FENCE = /^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^[ \t]*\2[`~]*[ \t]*$/gm

/**
 * Class names that a hostile author might use, each with a pattern that the styles must not
 * contain.
 */
const HOSTILE: readonly (readonly [name: string, refused: RegExp])[] = [
  ['bg-[url(https://x.test/a)]', /url\(/],
  ['[background:url(//x.test/a)]', /url\(/],
  ['cursor-[url(//x.test/a),auto]', /url\(/],
  ['[background:image-set("//x.test/a"_1x)]', /image-set/],
  ['[mask:\\75rl(//x.test/a)]', /\\75rl\(/],
  ['w-[1px;position:fixed]', /;position/],
  ['w-[1px;}body{display:none}]', /\}body/],
  ['[@media_all{*{display:none}}]:flex', /\{\*\{/],
  ['[@import_url(//x.test/a)]:flex', /@import/],
  ['[&,body]:hidden', /,body/],
  ['[&,.oct-header]:hidden', /,\.oct-header/],
  ['[body:has(&)]:hidden', /body:has/],
  ['scope-[body]:flex', /^body /],
  ["content-['</style><script>']", /'<\/style>/],
  ['w-[/*]', /:\/\*/],
  ['[&~*]:hidden', /~\*/],
  ['animate-[x_1s]', /animation/],
]

/**
 * The name is a constant because Tailwind is not a dependency of Octavo, so it has no types here.
 */
const TAILWIND = 'tailwindcss'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    unocss: { type: 'string' },
    tailwind: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    /**
     * Whether the base styles of UnoCSS are included. The default is `no`, because the stylesheet
     * of Octavo would contain them only once.
     */
    preflight: { type: 'string', default: 'no' },
    names: { type: 'string', default: '40' },
  },
})
if (values.unocss === undefined) {
  console.log('Name the folder in which UnoCSS is installed with --unocss.')
  process.exit(2)
}
const tools = [octavo(), await unocss(values.unocss)] as const
const tailwind = values.tailwind === undefined ? undefined : openTailwind(values.tailwind)
await withCorpus(positionals[0], async (folder) => {
  const pages = readPages(join(folder, 'sites'))
  await compareKnown(pages)
  await compareSpeed(pages)
  await compareAlike(pages)
})
await tryHostile()

function octavo(): Tool {
  return {
    name: 'octavo',
    knows: async (name) => isUtility(name),
    stylesOf: async (classes) => utilityStyles(classes),
  }
}

async function unocss(folder: string): Promise<Tool> {
  const before = performance.now()
  const { createGenerator } = await importFrom<{ createGenerator: (it: object) => Promise<Uno> }>(
    folder,
    '@unocss/core',
  )
  const { presetWind3 } = await importFrom<{ presetWind3: (options: object) => object }>(
    folder,
    '@unocss/preset-wind3',
  )
  const imported = performance.now()
  const accent = 'var(--oct-primary)'
  const uno = await createGenerator({
    presets: [presetWind3({ preflight: values.preflight === 'yes' ? true : values.preflight })],
    theme: {
      colors: {
        primary: { DEFAULT: accent, light: accent, dark: accent },
        background: { light: 'var(--oct-page)', dark: 'var(--oct-page)' },
      },
    },
    variants: [
      { name: 'oct-dark', match: matchDark, order: -1 },
      { name: 'oct-mint', match: (name: string) => name.replace(/^mint-/, ''), multiPass: true },
    ],
  })
  const [load, made] = [imported - before, performance.now() - imported]
  console.log(`UnoCSS: ${load.toFixed(0)} ms to import, ${made.toFixed(0)} ms to create`)
  const options = { scope: '.oct-content', minify: true, preflights: values.preflight !== 'no' }
  return {
    name: 'unocss',
    knows: async (name) =>
      (await uno.generate(new Set([name]), { ...options, preflights: false })).matched.size > 0,
    stylesOf: async (classes) => (await uno.generate(new Set(classes), options)).css,
  }
}

/**
 * Creates two rules for a dark class: one for the reader's choice and one for the system's color
 * scheme.
 */
function matchDark(name: string): unknown {
  if (!name.startsWith('dark:')) return name
  const matcher = name.slice('dark:'.length)
  const below = (start: string, parent?: string) => ({
    matcher,
    handle: (input: Input, next: (input: Input) => unknown) =>
      next({
        ...input,
        prefix: `${start} $$ ${input.prefix}`,
        ...(parent === undefined
          ? {}
          : { parent: [input.parent, parent].filter(Boolean).join(' $$ ') }),
      }),
  })
  const bySystem = below(':root:not([data-theme])', '@media (prefers-color-scheme:dark)')
  return [below('[data-theme=dark]'), bySystem]
}

async function importFrom<Module>(folder: string, name: string): Promise<Module> {
  const path = createRequire(resolve(folder, 'package.json')).resolve(name)
  return (await import(pathToFileURL(path).href)) as Module
}

/** Returns a function that uses Tailwind's internal functions to recognize its own classes. */
function openTailwind(folder: string): (name: string) => boolean {
  const loadModule = createRequire(resolve(folder, 'package.json'))
  const { createContext } = loadModule(`${TAILWIND}/lib/lib/setupContextUtils`)
  const { generateRules } = loadModule(`${TAILWIND}/lib/lib/generateRules`)
  const primary = { DEFAULT: '#111111', light: '#111111', dark: '#111111' }
  const colors = { primary, background: { light: '#111111', dark: '#111111' } }
  const config = { content: [], theme: { extend: { colors } } }
  const context = createContext(loadModule(`${TAILWIND}/resolveConfig`)(config))
  return (name) =>
    generateRules(new Set([name.replace(/(^|:)(!?)mint-/, '$1$2')]), context).length > 0
}

function readPages(folder: string): readonly Page[] {
  return readdirSync(folder).flatMap((site) =>
    readdirSync(join(folder, site), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:mdx?|jsx)$/.test(path))
      .toSorted()
      .map((path) => ({ site, classes: readClasses(join(folder, site, path)) }))
      .filter(({ classes }) => classes.length > 0),
  )
}

function readClasses(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8').replaceAll(FENCE, '')
  return [...text.matchAll(ATTRIBUTE)].flatMap(([, ...forms]) => {
    const written = forms.find((form) => form !== undefined) ?? ''
    return written.match(CLASS) ?? []
  })
}

async function compareKnown(pages: readonly Page[]): Promise<void> {
  const places = new Map<string, number>()
  for (const name of pages.flatMap(({ classes }) => classes))
    places.set(name, (places.get(name) ?? 0) + 1)
  const groups = new Map<string, string[]>()
  for (const name of places.keys()) {
    const marks = [
      ...(await Promise.all(tools.map(async (it) => ((await it.knows(name)) ? it.name : '-')))),
      ...(tailwind === undefined ? [] : [tailwind(name) ? 'tailwind' : '-']),
    ]
    const group = marks.join(' ')
    groups.set(group, [...(groups.get(group) ?? []), name])
  }
  console.log(
    `\n${pages.length} files with classes, ${places.size} distinct, ${sum(places.values())} places`,
  )
  for (const [group, names] of [...groups].toSorted()) {
    const counts = names.map((name) => places.get(name) ?? 0)
    console.log(
      `${group.padEnd(28)} ${String(names.length).padStart(6)} distinct, ${sum(counts)} places`,
    )
    const listed = names.toSorted((a, b) => (places.get(b) ?? 0) - (places.get(a) ?? 0))
    if (!group.startsWith('octavo unocss')) {
      const shown = listed.slice(0, Number(values.names))
      console.log(`    ${shown.map((name) => `${name} ${places.get(name)}`).join(', ')}`)
    }
  }
}

/**
 * Measures the tools in turn on pages with utility classes; the order alternates with each round.
 */
async function compareSpeed(all: readonly Page[]): Promise<void> {
  const pages = all.map(({ classes }) => [...new Set(classes)].filter(isUtility).toSorted())
  const used = pages.filter(({ length }) => length > 0)
  const times = tools.map((): number[] => [])
  const bytes = tools.map((): number[] => [])
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const before = performance.now()
      const sizes: number[] = []
      for (const classes of used) sizes.push((await tools[index]?.stylesOf(classes))?.length ?? 0)
      times[index]?.push(performance.now() - before)
      bytes[index] = sizes
    }
  }
  console.log(`\n${used.length} pages with classes that octavo knows:`)
  for (const [index, { name }] of tools.entries()) {
    const [first = 0, ...later] = times[index] ?? []
    const sizes = bytes[index] ?? []
    console.log(
      `${name.padEnd(8)} first time ${first.toFixed(0)} ms, then ${median(later).toFixed(0)} ms` +
        ` (${((median(later) / used.length) * 1_000).toFixed(0)} µs a page);` +
        ` ${median(sizes)} bytes a page in the middle, ${sum(sizes)} in all`,
    )
  }
  const ratios = (times[1] ?? []).slice(1).map((time, round) => time / (times[0]?.[round + 1] ?? 1))
  console.log(`unocss / octavo, median of rounds: ${median(ratios).toFixed(2)}`)
}

/**
 * Checks that a used instance and a new one create the same styles for the same classes in a
 * different order.
 */
async function compareAlike(pages: readonly Page[]): Promise<void> {
  const fresh = [octavo(), await unocss(values.unocss ?? '')] as const
  for (const [index, tool] of tools.entries()) {
    let differing = 0
    for (const { classes } of pages) {
      const names = [...new Set(classes)].filter(isUtility)
      const one = await tool.stylesOf(names)
      const other = await fresh[index]?.stylesOf(names.toReversed())
      if (one !== other) differing += 1
    }
    console.log(`${tool.name}: ${differing} pages differ by the order of asking`)
  }
}

async function tryHostile(): Promise<void> {
  console.log(
    '\nhostile classes: what each writes (filtered: a class cannot reach it past PageNotes)',
  )
  for (const [name, refused] of HOSTILE) {
    const isWhole = name.match(CLASS)?.[0] === name
    console.log(`  ${name}${isWhole ? '' : '   (filtered)'}`)
    for (const tool of tools) {
      const css = (await tool.knows(name)) ? await tool.stylesOf([name]) : ''
      const verdict = css === '' ? 'nothing' : `${refused.test(css) ? 'WRITES ' : 'other '}${css}`
      console.log(`    ${tool.name.padEnd(8)} ${verdict.slice(-150)}`)
    }
  }
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const number of numbers) all += number
  return all
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}
