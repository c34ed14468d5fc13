/** Reads docusaurus.config.js as data: its code is never run. */
import { posix } from 'node:path'
import { type DataSource, type LoadData, readModuleData } from '@octavo/content'
import { joinPath, SourceText } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import type { MigrationReport, Place } from '../site/report.ts'
import { asValues, type Values } from '../site/values.ts'

/** Returns a TypeScript module without its types; undefined if it cannot be read. */
export type ReadTyped = (file: string) => Omit<DataSource, 'source'> | undefined

export type DocusaurusConfig = {
  readonly file: string
  /** The folder of the configuration. */
  readonly base: string
  readonly values: Values
  /** The options of the preset with documentation and blog. */
  readonly preset: Values
  /** The options of each plugin, by its short name. */
  readonly plugins: readonly { readonly name: string; readonly options: Values }[]
  /** Reads another file of data, such as the sidebars. */
  readonly read: (file: string) => unknown
  readonly place: (...keys: readonly string[]) => Place
}

const CONFIG = /(?:^|\/)docusaurus\.config\.(?:[cm]?js|ts)$/
/** Files whose types must be removed before they can be read. */
const TYPED = /(?:^|\/)(?:docusaurus\.config|sidebars?[\w.-]*)\.ts$/
const TYPED_FILES_MAX = 40
/** Reports that name values which no part of the new site needs would hide the others. */
const NEEDED =
  /^(?:title|tagline|url|baseUrl|favicon|i18n|presets|plugins|themeConfig\.(?:navbar|footer|docs|announcementBar))(?:\.|$)|^$/
const NEVER_NEEDED =
  /remarkPlugins|rehypePlugins|editUrl|customCss|\.blog\.|\.theme\.|prism|Plugins\b/i

export function isDocusaurus(folder: ForeignFolder): boolean {
  return findConfig(folder) !== undefined
}

/** Returns the TypeScript files that a migration reads as data. */
export function typedConfigs(folder: ForeignFolder): readonly string[] {
  return folder.files
    .filter((file) => TYPED.test(file) && !/(?:^|\/)versioned_/.test(file))
    .slice(0, TYPED_FILES_MAX)
}

function findConfig(folder: ForeignFolder): string | undefined {
  const depth = (file: string) => file.split('/').length
  return folder.files
    .filter((file) => CONFIG.test(file) && !/(?:^|\/)versioned_/.test(file))
    .toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))[0]
}

type Input = {
  readonly folder: ForeignFolder
  readonly report: MigrationReport
  readonly readTyped: ReadTyped
}

export function readConfig(input: Input): DocusaurusConfig | undefined {
  const { folder, report } = input
  const file = findConfig(folder)
  if (file === undefined) return undefined
  const base = posix.dirname(file) === '.' ? '' : posix.dirname(file)
  const values = asValues(readData(file, input, true))
  if (Object.keys(values).length === 0)
    report.leave(
      'The configuration could not be read as data, so its settings are missing. Write them into docs.json.',
      { file, line: 1 },
    )
  const text = folder.read(file) ?? ''
  const presets = namedOptions(values.presets)
  const preset = presets.find(({ name }) => /preset/.test(name) || name === 'classic')
  return {
    file,
    base,
    values,
    preset: preset?.options ?? presets[0]?.options ?? {},
    plugins: namedOptions(values.plugins),
    read: (path) => readData(path, input, false),
    place: (...keys) => ({ file, line: lineOfKeys(text, keys) }),
  }
}

/** Returns the line of the last key that the text has, each after the one before. */
function lineOfKeys(text: string, keys: readonly string[]): number {
  let at = 0
  for (const key of keys) {
    const found = text.slice(at).search(new RegExp(`\\b${key.replaceAll(/[^\w]/g, '\\$&')}\\b`))
    if (found >= 0) at += found
  }
  return text.slice(0, at).split('\n').length
}

function readData(file: string, input: Input, isConfig: boolean): unknown {
  const { folder, report } = input
  const text = folder.read(file)
  if (text === undefined) return undefined
  if (file.endsWith('.json')) return readJson(file, text, report)
  const module = openModule(file, input)
  if (module === undefined) {
    report.leave('The file is TypeScript that could not be read.', { file, line: 1 })
    return undefined
  }
  const { data, problems } = readModuleData(module, loader(input))
  for (const { file: from, line, path, message } of problems) {
    const isNeeded = !isConfig || (NEEDED.test(path) && !NEVER_NEEDED.test(path))
    const what = path === '' ? 'This part' : `\`${path}\``
    if (isNeeded)
      report.leave(`${what} is code, which is not run, so it is missing: ${message}.`, {
        file: from,
        line,
      })
  }
  return data
}

function readJson(file: string, text: string, report: MigrationReport): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    report.leave(`The file is not JSON: ${why}.`, { file, line: 1 })
    return undefined
  }
}

function openModule(file: string, { folder, readTyped }: Input): DataSource | undefined {
  const text = folder.read(file)
  if (text === undefined) return undefined
  const source = new SourceText(file, text)
  if (!/\.[cm]?ts$/.test(file)) return { source, code: text, toOffset: (offset) => offset }
  const typed = readTyped(file)
  return typed && { source, ...typed }
}

function loader(input: Input): LoadData {
  return (from, written) => {
    const path = joinPath(posix.dirname(from), written)
    const names = ['', '.json', '.js', '.mjs', '.cjs', '.ts'].map((ending) => `${path}${ending}`)
    const file = path === undefined ? undefined : names.find((name) => input.folder.has(name))
    if (file === undefined) return undefined
    if (file.endsWith('.json'))
      return { json: readJson(file, input.folder.read(file) ?? '', input.report) }
    const module = /\.(?:[cm]?js|ts)$/.test(file) ? openModule(file, input) : undefined
    return module && { module }
  }
}

/** Reads a list of plugins or presets: names, or pairs of a name and options. */
function namedOptions(value: unknown): DocusaurusConfig['plugins'] {
  const entries = Array.isArray(value) ? value : []
  return entries.flatMap((entry) => {
    const [name, options] = Array.isArray(entry) ? entry : [entry, {}]
    if (typeof name !== 'string') return []
    const short = name.replace(/^@docusaurus\/(?:plugin-)?/, '')
    return [{ name: short, options: asValues(options) }]
  })
}
