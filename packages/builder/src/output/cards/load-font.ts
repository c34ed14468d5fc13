import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { LoadFont } from './typeface.ts'

/** Loads one subset of the font that is included with the builder. */
export const loadFont: LoadFont = (subset, weight) => {
  const require = createRequire(import.meta.url)
  const latin = require.resolve('@fontsource/inter/files/inter-latin-600-normal.woff')
  return readFileSync(latin.replace('latin-600', `${subset}-${weight}`))
}
