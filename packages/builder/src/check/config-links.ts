/** Links in docs.json: in the navigation, the navbar, the footer and so on. */
import { CHILD_KINDS, isInternalLink, type JsonNode, type JsonString } from '@octavo/model'

/** Returns the links that stay in the site. */
export function internalLinks(root: JsonNode): Iterable<JsonString> {
  return configLinks(root).filter(({ value }) => isInternalLink(value))
}

export function* configLinks(root: JsonNode): Generator<JsonString> {
  const stack: JsonNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'array') stack.push(...node.items)
    if (node.type !== 'object') continue
    const { members } = node
    // With children, `href` is ignored, which has its own diagnostic.
    const isLink = !CHILD_KINDS.some((kind) => members.has(kind))
    for (const [key, { value }] of members) {
      stack.push(value)
      if (key === 'href' && isLink && value.type === 'string') yield value
    }
  }
}

/** `start` and `/start#part` → `/start`. */
export function pathOfHref(href: string): string {
  return `/${href.trim().replace(/^\/+/, '')}`.replace(/[?#].*$/s, '')
}
