/** Finds the links in docs.json: in the navigation, the navbar, the footer and so on. */
import { CHILD_KINDS, isInternalLink, type JsonNode, type JsonString } from '@octavo/model'

/** Returns the links to pages of the site itself. */
export function internalLinks(root: JsonNode): Iterable<JsonString> {
  return configLinks(root).filter(({ value }) => isInternalLink(value))
}

export function* configLinks(root: JsonNode): Generator<JsonString> {
  const stack: JsonNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'array') stack.push(...node.items)
    if (node.type !== 'object') continue
    const { members } = node
    // `href` has no effect next to children; another diagnostic reports this.
    const isLink = !CHILD_KINDS.some((kind) => members.has(kind))
    for (const [key, { value }] of members) {
      stack.push(value)
      if (key === 'href' && isLink && value.type === 'string') yield value
    }
  }
}

/** Returns the path of a link without its fragment: `/start` for `start` and `/start#part`. */
export function pathOfHref(href: string): string {
  return `/${href.trim().replace(/^\/+/, '')}`.replace(/[?#].*$/s, '')
}
