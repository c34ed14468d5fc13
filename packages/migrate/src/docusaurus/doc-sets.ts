/** Finds the folders of documentation in a Docusaurus site, with their versions. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { asValues, type Values } from '../site/values.ts'
import type { DocusaurusConfig } from './read-config.ts'

/** One version of one folder of documentation. */
export type DocSet = {
  /** The id of the plugin; `default` for the preset. */
  readonly instance: string
  /** The folder of the pages. */
  readonly folder: string
  /** The path of its pages below the root of the site, such as `docs/next`. */
  readonly route: string
  readonly version:
    | { readonly name: string; readonly label: string; readonly isLast: boolean }
    | undefined
  /** The file with the sidebars; undefined for sidebars that follow the folders, false for none. */
  readonly sidebars: string | false | undefined
}

export function findDocSets(config: DocusaurusConfig, folder: ForeignFolder): readonly DocSet[] {
  const { preset, plugins } = config
  const own = preset.docs === false ? [] : [{ instance: 'default', options: asValues(preset.docs) }]
  const more = plugins
    .filter(({ name }) => name === 'content-docs')
    .map(({ options }) => ({
      instance: typeof options.id === 'string' ? options.id : 'default',
      options,
    }))
  return [...own, ...more].flatMap(({ instance, options }) =>
    versionsOf(instance, options, { config, folder }),
  )
}

type World = { readonly config: DocusaurusConfig; readonly folder: ForeignFolder }

function versionsOf(
  instance: string,
  options: Values,
  { config, folder }: World,
): readonly DocSet[] {
  const { base } = config
  const text = (key: string) =>
    typeof options[key] === 'string' ? String(options[key]) : undefined
  const inBase = (path: string) => joinPath(base, path.startsWith('.') ? path : `./${path}`)
  const path = inBase(text('path') ?? 'docs')
  const route = trimSlashes(text('routeBasePath') ?? 'docs')
  const written = text('sidebarPath')
  const sidebars: DocSet['sidebars'] =
    options.sidebarPath === false ? false : sidebarFile(written, inBase, folder)
  const prefix = instance === 'default' ? '' : `${instance}_`
  const list = config.read(posix.join(base, `${prefix}versions.json`))
  const names = (Array.isArray(list) ? list.map(String) : []).filter((name) =>
    hasFiles(folder, posix.join(base, `${prefix}versioned_docs/version-${name}`)),
  )
  const isCurrent =
    options.includeCurrentVersion !== false && path !== undefined && hasFiles(folder, path)
  const current: DocSet = { instance, folder: path ?? '', route, sidebars, version: undefined }
  if (names.length === 0) return isCurrent ? [current] : []
  const last = text('lastVersion') ?? names[0] ?? 'current'
  const settings = asValues(options.versions)
  const all = isCurrent ? ['current', ...names] : names
  const sets = all.map((name): DocSet => {
    const { label, path: own } = asValues(settings[name])
    const usual = name === last ? '' : name === 'current' ? 'next' : name
    const below = typeof own === 'string' ? trimSlashes(own) : usual
    const shown = typeof label === 'string' ? label : name === 'current' ? 'Next' : name
    const version = { name, label: shown, isLast: name === last }
    const set = { instance, route: joinRoute(route, below), version }
    if (name === 'current') return { ...set, folder: path ?? '', sidebars }
    const file = posix.join(base, `${prefix}versioned_sidebars/version-${name}-sidebars.json`)
    return {
      ...set,
      folder: posix.join(base, `${prefix}versioned_docs/version-${name}`),
      sidebars: folder.has(file) ? file : undefined,
    }
  })
  return sets.toSorted((a, b) => Number(b.version?.isLast) - Number(a.version?.isLast))
}

function sidebarFile(
  written: string | undefined,
  inBase: (path: string) => string | undefined,
  folder: ForeignFolder,
): string | undefined {
  const names =
    written === undefined
      ? ['sidebars.js', 'sidebars.ts', 'sidebars.json']
      : ['', '.js', '.ts', '.json'].map((ending) => `${written}${ending}`)
  return names.map(inBase).find((file) => file !== undefined && folder.has(file))
}

function hasFiles(folder: ForeignFolder, path: string): boolean {
  return path === '' || folder.files.some((file) => file.startsWith(`${path}/`))
}

function trimSlashes(path: string): string {
  return path.replaceAll(/^\/+|\/+$/g, '')
}

/** Joins parts of a path; empty ones are skipped. */
export function joinRoute(...parts: readonly string[]): string {
  return parts
    .map(trimSlashes)
    .filter((part) => part !== '')
    .join('/')
}
