/**
 * Reads the docs.json settings that the dashboard shows to a project's owner, each with the line
 * that sets it. Settings that are not in docs.json are omitted.
 */
import { type JsonNode, type Place, placeOf } from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import { siteLanguages } from '../plan/page-languages.ts'

type DocsSetting = {
  /** The key in docs.json, such as `colors.primary`. */
  readonly key: string
  readonly value: string
  readonly file: string
  readonly line: number
}

const VALUE_LENGTH_MAX = 300

type Input = { readonly site: LoadedSite; readonly pages: readonly unknown[] }

export function docsSettings({ site, pages }: Input): readonly DocsSetting[] {
  const { config, configRoot, navigation, redirects } = site
  if (configRoot === undefined) return []
  const values: Readonly<Record<string, string | undefined>> = {
    name: config.name,
    'colors.primary': config.colors.primary,
    navigation: describeNavigation(configRoot, pages.length),
    'navigation.languages': siteLanguages(navigation).join(', '),
    redirects: String(redirects.length),
    'assistant.enabled': printFlag(config.assistant?.enabled),
    'assistant.starterQuestions': config.assistant?.starterQuestions?.join(' · '),
    'deploy.failOn': config.deploy?.failOn,
    'api.playground.proxy': printFlag(config.api?.playground?.proxy),
    'seo.indexing': config.seo?.indexing,
  }
  return Object.entries(values).flatMap(([key, value]) => {
    const place = findPlace(configRoot, key.split('.'))
    if (place === undefined || value === undefined) return []
    const { file, line } = place
    return [{ key, value: value.slice(0, VALUE_LENGTH_MAX).toWellFormed(), file, line }]
  })
}

function printFlag(flag: boolean | undefined): string | undefined {
  if (flag === undefined) return undefined
  return flag ? 'on' : 'off'
}

function describeNavigation(root: JsonNode, pageCount: number): string {
  const tabs = findNode(root, ['navigation', 'tabs'])
  const pages = pageCount === 1 ? '1 page' : `${pageCount} pages`
  const tabCount = tabs?.type === 'array' ? tabs.items.length : 0
  if (tabCount === 0) return pages
  return `${tabCount === 1 ? '1 tab' : `${tabCount} tabs`}, ${pages}`
}

/** Returns the place of a setting, which may be in another file that docs.json includes. */
function findPlace(root: JsonNode, path: readonly string[]): Place | undefined {
  const node = findNode(root, path)
  return node && placeOf(node)
}

function findNode(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root
  for (const key of path) {
    if (node?.type !== 'object') return undefined
    node = node.members.get(key)?.value
  }
  return node
}
