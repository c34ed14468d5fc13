/**
 * Renders the endpoint line, the playground and the samples of a page that describes its parameters
 * in MDX.
 */
import type { PageNode } from '@octavo/content'
import { type Config, parseFrontmatter } from '@octavo/model'
import {
  type ApiContext,
  ENGLISH,
  endpointNodes,
  type InterfaceText,
  type PlaygroundMode,
} from '@octavo/theme'
import { apiSettings, playgroundSettings } from './api-settings.ts'
import { manualOperation } from './manual-operation.ts'
import type { Origins } from './origins.ts'
import { playgroundOrigins } from './playground-origins.ts'

export type ManualPage = {
  /** Nodes to show above the author's text. */
  readonly nodes: readonly PageNode[]
  /** Origins to which the playground sends requests. */
  readonly origins: Origins | undefined
}

export type ManualPageInput = {
  readonly file: string
  readonly text: string
  readonly nodes: readonly PageNode[]
  /** The value of `api` in docs.json. */
  readonly settings: Config['api']
  readonly words?: InterfaceText | undefined
}

/** Most pages have no such line, so their frontmatter is not parsed a second time. */
const HAS_API = /^api\s*:/m

export function manualPage(input: ManualPageInput): ManualPage | undefined {
  const { file, text, nodes, settings, words = ENGLISH } = input
  if (!HAS_API.test(text)) return undefined
  const { fields } = parseFrontmatter(file, text).frontmatter
  const { api, auth, authMethod = auth, contentType, playground, openapi } = fields
  if (api === undefined || openapi !== undefined) return undefined
  const operation = manualOperation({ api, authMethod, contentType, nodes, settings })
  if (operation === undefined) return undefined
  const { page, frame } = operation
  const isHttp = /^(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY)$/.test(page.method)
  const wanted = playground ?? settings?.playground?.display ?? 'interactive'
  const mode: PlaygroundMode = isHttp ? wanted : 'none'
  const ownSettings = playgroundSettings(settings, words)
  const inline = JSON.stringify({ settings: ownSettings, frame, page, parts: [] })
  const own = apiSettings(settings)
  const hasSamples = has(nodes, 'RequestExample')
  const context: ApiContext = {
    frame,
    part: () => undefined,
    markdown: () => [],
    words,
    playground: mode,
    settings: { ...own, autogenerate: own.autogenerate && isHttp && !hasSamples },
    fragments: { folder: '', count: 1, inline },
  }
  const hasPlayground = mode === 'interactive' && page.servers !== undefined
  return {
    nodes: endpointNodes(page, context),
    origins: hasPlayground ? playgroundOrigins(page, context, ownSettings) : undefined,
  }
}

function has(nodes: readonly PageNode[], name: string): boolean {
  return nodes.some((node) => {
    if (typeof node === 'string' || !('children' in node)) return false
    return (node.kind === 'component' && node.name === name) || has(node.children, name)
  })
}
