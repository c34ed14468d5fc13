/** Extracts the entries of a changelog for its feed. */
import type { ComponentNode, Data, PageNode } from '@octavo/content'
import { slug } from '@octavo/model'
import { type ContentContext, renderContent } from '@octavo/theme'

export type PageUpdate = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly html: string
}

export function pageUpdates(
  nodes: readonly PageNode[],
  context: ContentContext,
): readonly PageUpdate[] {
  return findUpdates(nodes).map(({ props: { label, description, rss }, children }) => {
    const title = textOf(label) ?? ''
    // Text for the feed takes precedence over text on the page.
    const feed = typeof rss === 'object' && rss !== null && !Array.isArray(rss) ? rss : {}
    const own = feed as Readonly<Record<string, Data>>
    return {
      id: slug(title),
      title: textOf(own.title) ?? title,
      description: textOf(own.description) ?? textOf(description) ?? '',
      // Feed readers have no stylesheet of ours, so a diagram is its source there.
      html: renderContent(children, { ...context, draw: undefined }),
    }
  })
}

function findUpdates(nodes: readonly PageNode[]): readonly ComponentNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return []
    return node.kind === 'component' && node.name === 'Update' ? [node] : findUpdates(node.children)
  })
}

function textOf(value: Data | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
