import { createRequire } from 'node:module'
import type { IconSet, IconSetName } from '@octavo/theme'

/** The packages that hold the drawings. Each process reads a set once, and only when it is asked for. */
const PACKAGES: Readonly<Record<IconSetName, string>> = {
  solid: '@iconify-json/fa7-solid',
  regular: '@iconify-json/fa7-regular',
  brands: '@iconify-json/fa7-brands',
  lucide: '@iconify-json/lucide',
  tabler: '@iconify-json/tabler',
}

const require = createRequire(import.meta.url)

export function readIconSet(name: IconSetName): IconSet {
  return require(`${PACKAGES[name]}/icons.json`) as IconSet
}
