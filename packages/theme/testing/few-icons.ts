import { createIconLibrary, type IconLibrary } from '../src/icons/icon-library.ts'
import type { IconSet, IconSetName } from '../src/icons/icon-set.ts'

const NAMES: Readonly<Record<IconSetName, string>> = {
  solid: 'rocket book hammer leaf circle-question star house x earth-americas',
  regular: 'star',
  brands: 'github python x-twitter',
  lucide: 'rocket house arrow-right braces brand',
  tabler: 'rocket plant-2',
}
const ALIASES: Readonly<Partial<Record<IconSetName, IconSet['aliases']>>> = {
  lucide: { home: { parent: 'house' }, villa: { parent: 'home' } },
}

/** Returns a small icon set. Each drawing is a single line that encodes the set and the icon. */
export function readTestIcons(set: IconSetName): IconSet {
  const names = NAMES[set].split(' ')
  const size = set === 'lucide' || set === 'tabler' ? 24 : 640
  return {
    icons: Object.fromEntries(names.map((name) => [name, { body: `<path d="${set} ${name}"/>` }])),
    aliases: ALIASES[set] ?? {},
    width: size,
    height: size,
  }
}

export function testIcons(library?: string): IconLibrary {
  return createIconLibrary({ readSet: readTestIcons, library })
}
