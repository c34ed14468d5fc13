import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hashBytes } from '../source/hash-bytes.ts'

/** Packages that decide what a page becomes. */
const PACKAGES = ['model', 'openapi', 'content', 'search', 'theme', 'browser', 'builder']

const ICON_PACKAGES = [
  '@iconify-json/fa7-solid',
  '@iconify-json/fa7-regular',
  '@iconify-json/fa7-brands',
  '@iconify-json/lucide',
  '@iconify-json/tabler',
]

/**
 * Changes whenever the same source would give other bytes: a hash of our own code. A version number
 * would have to be remembered; this cannot be forgotten.
 */
export function builderVersion(): string {
  const require = createRequire(import.meta.url)
  return hashBytes(
    // Drawings change with their packages, not with our code.
    ...ICON_PACKAGES.map((name) => readFileSync(require.resolve(`${name}/package.json`))),
    ...PACKAGES.flatMap((name) => {
      const folder =
        name === 'builder'
          ? dirname(import.meta.dirname)
          : dirname(require.resolve(`@octavo/${name}`))
      return sourceFiles(folder).map((file) => readFileSync(file))
    }),
  )
}

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|js|css)$/.test(file) && !/\.test\.|expected/.test(file))
    .toSorted()
    .map((file) => join(folder, file))
}
