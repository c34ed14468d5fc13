import { createRequire } from 'node:module'
import type { IconSet, IconSetName } from '@octavo/theme'

const require = createRequire(import.meta.url)

/** The packages of the icon sets. Each set is read on demand, once per process. */
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
