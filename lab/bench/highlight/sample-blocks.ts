/** Samples code blocks from real documentation and creates hostile ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Block = { readonly language: string; readonly text: string }
export type Choice = {
  readonly blocks: number
  readonly languages: number
  /**
   * A site whose blocks are all used, with duplicates; if undefined, distinct blocks of all sites
   * are used.
   */
  readonly site: string | undefined
  /** The languages with a grammar. */
  readonly known: ReadonlySet<string>
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', curl: 'bash', ts: 'typescript', js: 'javascript' },
  ...{ py: 'python', yml: 'yaml', cs: 'csharp', rb: 'ruby', kt: 'kotlin', rs: 'rust' },
}
const FENCE = /^[ \t]*```([\w+#.-]+)[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm
const TEXT_LENGTH = { min: 20, max: 20_000 } as const

export function chooseBlocks(sites: string, choice: Choice): readonly Block[] {
  const inOrder = readdirSync(sites)
    .filter((site) => choice.site === undefined || choice.site === site)
    .flatMap((site) => readSite(join(sites, site)))
    .filter(({ language }) => choice.known.has(language))
  const byLanguage = Map.groupBy(inOrder, ({ language }) => language)
  const distinct = [...byLanguage].map(
    ([language, blocks]) => [language, [...new Set(blocks.map(({ text }) => text))]] as const,
  )
  const commonest = distinct
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, choice.languages)
  if (choice.site !== undefined) {
    const names = new Set(commonest.map(([language]) => language))
    return inOrder.filter(({ language }) => names.has(language)).slice(0, choice.blocks)
  }
  const each = Math.ceil(choice.blocks / commonest.length)
  return commonest.flatMap(([language, texts]) =>
    evenly(texts, each).map((text) => ({ language, text })),
  )
}

function readSite(folder: string): readonly Block[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.mdx?$/.test(path))
    .toSorted()
    .flatMap((path) => readBlocks(readFileSync(join(folder, path), 'utf8')))
}

function readBlocks(page: string): readonly Block[] {
  return [...page.matchAll(FENCE)].flatMap(([, written = '', text = '']) => {
    const language = NAMES[written.toLowerCase()] ?? written.toLowerCase()
    const isFit = text.length >= TEXT_LENGTH.min && text.length <= TEXT_LENGTH.max
    return isFit ? [{ language, text }] : []
  })
}

function evenly(texts: readonly string[], count: number): readonly string[] {
  const step = Math.max(1, texts.length / count)
  const places = Array.from({ length: Math.min(count, texts.length) }, (_, at) => at * step)
  return places.map((place) => texts[Math.floor(place)] ?? '')
}

const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  typescript: ['(', '<', 'a<', '`${', '=>', '({'],
  python: ['(', 'f"{', 'lambda a:', '['],
  bash: ['$(', '${', '`', 'a=', '<<a '],
  json: ['[', '{"'],
  yaml: ['- ', 'a: ', '[', '!a '],
  markdown: ['*', '[', '<'],
  cpp: ['template<', 'a::'],
}

/**
 * Returns blocks just below the limits of our highlighter: 20 lines of 5,000 characters, or 100
 * lines of 1,000.
 */
export function hostileBlocks(): readonly (readonly [name: string, block: Block])[] {
  const repeated = Object.entries(HOSTILE).flatMap(([language, parts]) =>
    parts.map((part) => {
      const line = part.repeat(Math.floor(4_990 / part.length))
      return [`${language} ${part}`, { language, text: `${line}\n`.repeat(20) }] as const
    }),
  )
  const lines = Array.from({ length: 100 }, (_, at) => `${'x'.repeat(990)}${at}`)
  const letters = ['typescript', 'csharp'].map(
    (language) => [`${language} letters`, { language, text: lines.join('\n') }] as const,
  )
  return [...repeated, ...letters]
}
