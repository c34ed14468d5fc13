/**
 * Converts the navigation of mint.json. Its groups are one flat list; a tab or an anchor contains
 * the groups whose pages are below its `url`, and a group may belong to a `version`.
 */
import type { JsonNode, JsonObject } from '../json/json-node.ts'
import { arrayNode, items, member, objectNode, stringNode, textOf } from './node-builder.ts'

/** Converts the navigation keys of a mint.json object. */
export function convertMintNavigation(root: JsonObject): JsonNode | undefined {
  const written = member(root, 'navigation')
  if (written === undefined) return undefined
  // Some authors already use the new form in mint.json.
  if (written.type === 'object') return written
  const parts: Parts = {
    root,
    groups: items(written),
    tabs: items(member(root, 'tabs')),
    anchors: items(member(root, 'anchors')).filter((anchor) => !isExternal(anchor)),
    links: items(member(root, 'anchors')).filter(isExternal),
  }
  const versions = items(member(root, 'versions'))
  if (versions.length === 0) {
    return objectNode(written, {
      ...structure(parts, parts.groups),
      ...globalLinks(parts.links, root),
    })
  }
  const everywhere = parts.links.filter((link) => member(link, 'version') === undefined)
  return objectNode(written, {
    versions: arrayNode(
      written,
      versions.map((version) => convertVersion(version, parts)),
    ),
    ...globalLinks(everywhere, root),
  })
}

type Parts = {
  readonly root: JsonObject
  readonly groups: readonly JsonNode[]
  readonly tabs: readonly JsonNode[]
  readonly anchors: readonly JsonNode[]
  /** Anchors that link to other sites. */
  readonly links: readonly JsonNode[]
}

type Members = Record<string, JsonNode | undefined>

function convertVersion(version: JsonNode, parts: Parts): JsonNode {
  const name = version.type === 'object' ? member(version, 'name') : version
  const mine = (node: JsonNode) => {
    const wanted = textOf(member(node, 'version'))
    return wanted === undefined || wanted === textOf(name)
  }
  const own = {
    ...parts,
    tabs: parts.tabs.filter(mine),
    anchors: parts.anchors.filter(mine),
  }
  const groups = parts.groups.filter(mine)
  return objectNode(version, {
    version: name,
    default: member(version, 'default'),
    ...structure(own, groups),
    ...globalLinks(
      parts.links.filter((link) => member(link, 'version') !== undefined && mine(link)),
      version,
    ),
  })
}

function globalLinks(links: readonly JsonNode[], like: JsonNode): Members {
  if (links.length === 0) return {}
  return { global: objectNode(like, { anchors: arrayNode(like, links.map(convertLinkAnchor)) }) }
}

/** Puts groups into anchors and anchors into tabs, if there are any. */
function structure(parts: Parts, groups: readonly JsonNode[]): Members {
  const { root, tabs } = parts
  if (tabs.length === 0) return anchorStructure(parts, groups)
  const claimed = claim(groups, [...tabs, ...parts.anchors])
  const rest = groups.filter((group) => !tabs.includes(claimed.get(group) ?? root))
  const first = objectNode(root, {
    tab: member(member(root, 'primaryTab'), 'name') ?? stringNode(root, 'Documentation'),
    ...anchorStructure(parts, rest),
  })
  const others = tabs.map((tab) =>
    objectNode(tab, {
      tab: member(tab, 'name'),
      hidden: member(tab, 'isDefaultHidden'),
      ...division(
        tab,
        groups.filter((group) => claimed.get(group) === tab),
      ),
    }),
  )
  return { tabs: arrayNode(root, rest.length === 0 ? others : [first, ...others]) }
}

function anchorStructure(parts: Parts, groups: readonly JsonNode[]): Members {
  const { root, anchors } = parts
  const claimed = claim(groups, anchors)
  const used = anchors.filter(
    (anchor) => [...claimed.values()].includes(anchor) || member(anchor, 'openapi') !== undefined,
  )
  if (used.length === 0) return { groups: arrayNode(root, groups.map(convertGroup)) }
  const rest = groups.filter((group) => !claimed.has(group))
  const first = objectNode(root, {
    anchor: member(member(root, 'topAnchor'), 'name') ?? stringNode(root, 'Documentation'),
    icon: member(member(root, 'topAnchor'), 'icon') ?? stringNode(root, 'book-open'),
    groups: arrayNode(root, rest.map(convertGroup)),
  })
  const others = used.map((anchor) =>
    objectNode(anchor, {
      anchor: member(anchor, 'name'),
      icon: member(anchor, 'icon'),
      hidden: member(anchor, 'isDefaultHidden'),
      ...division(
        anchor,
        groups.filter((group) => claimed.get(group) === anchor),
      ),
    }),
  )
  return { anchors: arrayNode(root, rest.length === 0 ? others : [first, ...others]) }
}

/** Returns the members of a tab or anchor after conversion. */
function division(node: JsonNode, groups: readonly JsonNode[]): Members {
  const openapi = member(node, 'openapi')
  if (groups.length > 0) return { openapi, groups: arrayNode(node, groups.map(convertGroup)) }
  if (openapi !== undefined) return { openapi }
  const url = member(node, 'url')
  const text = textOf(url)
  if (url === undefined || text === undefined || isAddress(text)) return { href: url }
  return { href: stringNode(url, `/${text.replace(/^\/+/, '')}`) }
}

/** Assigns each group to the tab or anchor whose `url` is the longest prefix of its first page. */
function claim(
  groups: readonly JsonNode[],
  claimants: readonly JsonNode[],
): Map<JsonNode, JsonNode> {
  const byUrl = claimants
    .map((node) => ({ node, url: (textOf(member(node, 'url')) ?? '').replace(/^\/+|\/+$/g, '') }))
    .filter(({ url }) => url !== '' && !isAddress(url))
    .toSorted((a, b) => b.url.length - a.url.length)
  const claimed = new Map<JsonNode, JsonNode>()
  for (const group of groups) {
    const page = firstPath(group)
    const owner = byUrl.find(({ url }) => page === url || page?.startsWith(`${url}/`))
    if (owner !== undefined) claimed.set(group, owner.node)
  }
  return claimed
}

function firstPath(group: JsonNode): string | undefined {
  for (const page of items(member(group, 'pages'))) {
    const path = page.type === 'string' ? page.value.replace(/^\/+/, '') : firstPath(page)
    if (path !== undefined) return path
  }
  return undefined
}

/** Keeps a group as it is, except for keys that were moved elsewhere. */
function convertGroup(group: JsonNode): JsonNode {
  if (group.type !== 'object') return group
  const pages = member(group, 'pages')
  const style = member(group, 'iconType')
  const icon = member(group, 'icon')
  const styled =
    icon?.type === 'string' && style !== undefined ? objectNode(icon, { name: icon, style }) : icon
  const { version, iconType, ...kept } = Object.fromEntries(
    [...group.members].map(([key, { value }]) => [key, value]),
  )
  return objectNode(group, {
    ...kept,
    icon: styled,
    pages:
      pages?.type === 'array'
        ? arrayNode(
            pages,
            pages.items.map((page) => (page.type === 'object' ? convertGroup(page) : page)),
          )
        : pages,
  })
}

function convertLinkAnchor(anchor: JsonNode): JsonNode {
  return objectNode(anchor, {
    anchor: member(anchor, 'name'),
    icon: member(anchor, 'icon'),
    href: member(anchor, 'url'),
    hidden: member(anchor, 'isDefaultHidden'),
  })
}

function isExternal(node: JsonNode): boolean {
  return isAddress(textOf(member(node, 'url')) ?? '')
}

function isAddress(url: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(url)
}
