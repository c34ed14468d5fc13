import { createRequire } from 'node:module'
import type { IconSet, IconSetName } from '@octavo/theme'

const require = createRequire(import.meta.url)

/** The packages that hold the drawings. A process reads a set once, and only when it is asked for. */
const SETS: Readonly<Record<IconSetName, () => unknown>> = {
  solid: () => require('@iconify-json/fa7-solid/icons.json'),
  regular: () => require('@iconify-json/fa7-regular/icons.json'),
  brands: () => require('@iconify-json/fa7-brands/icons.json'),
  lucide: () => require('@iconify-json/lucide/icons.json'),
  tabler: () => require('@iconify-json/tabler/icons.json'),
}

export function readIconSet(name: IconSetName): IconSet {
  return SETS[name]() as IconSet
}
