import type { NavNode } from '@octavo/model'
import {
  addOriginsOfCode,
  addOriginsOfStyles,
  OriginSet,
  type Origins,
} from '../compile/origins.ts'
import type { LoadedSite } from '../load/load-site.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { consentManagers } from './integrations/consent-managers.ts'
import { loadedTools } from './integrations/tools.ts'

/**
 * Returns the other hosts from which every page may load: those that docs.json names and those in
 * authors' scripts and styles.
 */
export function siteOrigins(
  { config, navigation }: LoadedSite,
  tree: SourceTree,
): Origins | undefined {
  const set = new OriginSet()
  const { logo, favicon, background, navbar } = config
  for (const part of [logo, favicon, background?.image]) {
    const urls = typeof part === 'object' ? [part.light, part.dark] : [part]
    for (const url of urls) if (url !== undefined) set.add('images', url)
  }
  for (const { origins } of loadedTools(config.integrations)) set.addAll(origins)
  for (const { origins } of consentManagers(config.integrations)) set.addAll(origins)
  const allowed = config.contentSecurityPolicy ?? {}
  set.addAll({
    scripts: allowed['script-src'] ?? [],
    styles: allowed['style-src'] ?? [],
    connections: allowed['connect-src'] ?? [],
    frames: allowed['frame-src'] ?? [],
    images: allowed['img-src'] ?? [],
    media: allowed['media-src'] ?? [],
    fonts: allowed['font-src'] ?? [],
  })
  for (const link of navbar?.links ?? []) addIcon(set, link.icon)
  addIcons(set, navigation.root)
  for (const file of tree.files) {
    if (file.endsWith('.js')) addOriginsOfCode(set, tree.read(file) ?? '')
    if (file.endsWith('.css')) addOriginsOfStyles(set, tree.read(file) ?? '')
  }
  return set.result()
}

function addIcons(set: OriginSet, node: NavNode): void {
  addIcon(set, node.icon)
  if (node.type === 'page') return
  if (node.type === 'division') for (const { icon } of node.globals) addIcon(set, icon)
  for (const child of node.children) addIcons(set, child)
}

function addIcon(set: OriginSet, icon: NavNode['icon']): void {
  const name = typeof icon === 'string' ? icon : icon?.name
  if (name?.includes('//')) set.add('images', name)
}
