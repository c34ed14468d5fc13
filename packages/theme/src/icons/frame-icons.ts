/**
 * Icons around the content of pages, which are set in docs.json and in the frontmatter of listed
 * pages.
 */
import type { Config, NavDivision, Navigation, NavNode } from '@octavo/model'
import type { Chrome } from '../frame/frame-input.ts'

/** An icon as written in docs.json or frontmatter. */
export type WrittenIcon = NonNullable<NavDivision['icon']>

/**
 * An icon; `page` is the path of the page whose frontmatter sets it, undefined if docs.json sets
 * it.
 */
export type FrameIcon = { readonly icon: WrittenIcon; readonly page: string | undefined }

type NavbarLink = NonNullable<NonNullable<Config['navbar']>['links']>[number]

const GLOBE: WrittenIcon = { name: 'earth-americas', style: 'solid', library: 'fontawesome' }
/** Icons of networks whose icon has a different name, or that have no logo. */
const NETWORK_ICONS: Readonly<Record<string, WrittenIcon>> = {
  x: brand('x-twitter'),
  website: GLOBE,
  'earth-americas': GLOBE,
  podcast: { name: 'podcast', style: 'solid', library: 'fontawesome' },
}
const LOGOS = new Set(
  `bluesky discord facebook github hacker-news instagram linkedin medium reddit slack telegram
  threads twitter x-twitter youtube`.split(/\s+/),
)

/** Returns the logo of a social network, or a globe for an unknown network. */
export function networkIcon(network: string): WrittenIcon {
  const own = Object.hasOwn(NETWORK_ICONS, network) ? NETWORK_ICONS[network] : undefined
  return own ?? (LOGOS.has(network) ? brand(network) : GLOBE)
}

/** Returns the icon of a navbar link: links to GitHub and Discord have the logo of the service. */
export function navbarIcon({ icon, type }: NavbarLink): WrittenIcon | undefined {
  return icon ?? (type === 'github' || type === 'discord' ? brand(type) : undefined)
}

function brand(name: string): WrittenIcon {
  return { name, style: 'brands', library: 'fontawesome' }
}

/** Returns all icons, including duplicates. */
export function frameIcons(config: Config, navigation: Navigation): readonly FrameIcon[] {
  const found: FrameIcon[] = []
  addChrome(config, found)
  for (const option of config.contextual?.options ?? [])
    if (typeof option !== 'string') add(found, option.icon)
  addNode(navigation.root, found)
  return found
}

function addNode(node: NavNode, found: FrameIcon[]): void {
  if (node.type === 'page') {
    add(found, node.icon, node.path)
    return
  }
  add(found, node.icon)
  if (node.type === 'division') {
    for (const link of node.globals) add(found, link.icon)
    addChrome(node.chrome, found)
  } else if (node.root !== undefined) addNode(node.root, found)
  for (const child of node.children) addNode(child, found)
}

function addChrome({ navbar, footer }: Partial<Chrome>, found: FrameIcon[]): void {
  for (const link of navbar?.links ?? []) add(found, navbarIcon(link))
  for (const network of Object.keys(footer?.socials ?? {})) add(found, networkIcon(network))
}

function add(found: FrameIcon[], icon: WrittenIcon | undefined, page?: string): void {
  if (icon !== undefined && icon !== '') found.push({ icon, page })
}
