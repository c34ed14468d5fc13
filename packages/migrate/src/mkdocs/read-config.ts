/** Reads mkdocs.yml as data: tags such as `!!python/name:` name code, which never runs. */
import { posix } from 'node:path'
import { type JsonNode, joinPath, placeOf, toValue } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { readYaml } from '../folder/read-yaml.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { MigrationReport, Place } from '../site/report.ts'
import { asValues, type Values } from '../site/values.ts'

export type MkdocsConfig = {
  readonly file: string
  /** The folder of the configuration file. */
  readonly base: string
  readonly values: Values
  /** Returns the place of a key, such as `theme`, `logo`. */
  readonly place: (...keys: readonly string[]) => Place
}

/** Returns the configuration files in a folder, the most likely one first. */
export function findMkdocsConfigs(folder: ForeignFolder): readonly string[] {
  const names = folder.files.filter((path) => /(?:^|\/)mkdocs[\w.-]*\.ya?ml$/.test(path))
  const rank = (path: string) => {
    const text = folder.read(path) ?? ''
    const isMain = /(?:^|\/)mkdocs\.ya?ml$/.test(path) ? 0 : 2
    const hasSite = /^site_url:/m.test(text) || /^INHERIT:/m.test(text) ? 0 : 1
    const isEnglish = /(?:^|\/)en\//.test(path) ? 0 : 1
    return (
      path.split('/').length * 100 +
      isMain * 10 +
      hasSite * 2 +
      isEnglish +
      (/offline/.test(path) ? 1 : 0)
    )
  }
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

export function readMkdocsConfig(
  folder: ForeignFolder,
  file: string,
  report: MigrationReport,
): MkdocsConfig | undefined {
  const base = posix.dirname(file) === '.' ? '' : posix.dirname(file)
  const chain = readChain(folder, file, report)
  if (chain.length === 0) return undefined
  fillFromNeighbors({ folder, file, base, chain, report })
  const values = chain.map(({ node }) => asValues(toValue(node))).reduceRight(mergeValues, {})
  return {
    file,
    base,
    values,
    place: (...keys) => {
      for (const { node, path } of chain) {
        const found = memberAt(node, keys)
        if (found !== undefined) return { file: path, line: placeOf(found).line }
      }
      return { file, line: 1 }
    },
  }
}

type Part = { readonly path: string; readonly node: JsonNode }

/** Reads a file and the files that it inherits from, the nearest first. */
function readChain(folder: ForeignFolder, first: string, report: MigrationReport): Part[] {
  const chain: Part[] = []
  let file: string | undefined = first
  while (file !== undefined) {
    const place: Place = { file, line: 1 }
    if (chain.some(({ path }) => path === file) || chain.length >= MIGRATE_LIMITS.inheritDepthMax) {
      report.leave('`INHERIT` leads back to the same file, or through too many files.', place)
      break
    }
    const node = readYaml(folder, file, report)
    if (node === undefined) break
    chain.push({ path: file, node })
    const parent = asValues(toValue(node)).INHERIT
    if (typeof parent !== 'string') break
    const target = joinPath(posix.dirname(file), parent)
    if (target === undefined || !folder.has(target)) {
      report.leave(`The inherited configuration \`${parent}\` is not in the folder.`, place)
      break
    }
    file = target
  }
  return chain
}

/**
 * Some projects put parts of the configuration together with a script before MkDocs runs. What the
 * file lacks is then taken from the configuration files next to it.
 */
function fillFromNeighbors({
  folder,
  file,
  base,
  chain,
  report,
}: {
  readonly folder: ForeignFolder
  readonly file: string
  readonly base: string
  readonly chain: Part[]
  readonly report: MigrationReport
}): void {
  const isMissing = (key: string) =>
    !chain.some(({ node }) => node.type === 'object' && node.members.has(key))
  if (!isMissing('nav') && !isMissing('theme')) return
  const used = new Set(chain.map(({ path }) => path))
  for (const path of folder.files) {
    const isNeighbor = (posix.dirname(path) === '.' ? '' : posix.dirname(path)) === base
    if (!isNeighbor || used.has(path) || !/mkdocs[\w.-]*\.ya?ml$/.test(path)) continue
    const node = readYaml(folder, path, report)
    if (node?.type !== 'object') continue
    const isUseful = ['nav', 'theme'].some((key) => isMissing(key) && node.members.has(key))
    if (!isUseful) continue
    chain.push({ path, node })
    report.approximate(
      `\`${file}\` is not complete; \`${path}\` next to it fills what is missing.`,
      {
        file: path,
        line: 1,
      },
    )
  }
}

/** Merges like MkDocs: objects are merged, everything else is replaced. */
function mergeValues(below: Values, above: Values): Values {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const old = merged[key]
    const isBoth = isObject(old) && isObject(value)
    merged[key] = isBoth ? mergeValues(old, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function memberAt(node: JsonNode, keys: readonly string[]): JsonNode | undefined {
  let found: JsonNode | undefined = node
  for (const key of keys) {
    if (found?.type === 'object') found = found.members.get(key)?.value
    else if (found?.type === 'array') found = itemNamed(found.items, key)
    else return undefined
  }
  return found
}

/** Finds an entry of a list of plugins or extensions, which is a name or an object with one key. */
function itemNamed(items: readonly JsonNode[], name: string): JsonNode | undefined {
  for (const item of items) {
    if (item.type === 'string' && item.value === name) return item
    if (item.type === 'object' && item.members.has(name)) return item.members.get(name)?.value
  }
  return undefined
}

/** Reads a list of plugins or extensions: names, objects with one key, or one object. */
export function readNamed(value: unknown): ReadonlyMap<string, Values> {
  const entries = Array.isArray(value) ? value : [value]
  const named = new Map<string, Values>()
  for (const entry of entries) {
    if (typeof entry === 'string') named.set(entry, {})
    else
      for (const [name, options] of Object.entries(asValues(entry)))
        named.set(name, asValues(options))
  }
  return named
}
