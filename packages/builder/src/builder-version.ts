import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hashBytes } from './hash-bytes.ts'

/** Packages that decide what a page becomes. */
const PACKAGES = ['model', 'openapi', 'content', 'theme', 'builder']

/**
 * Changes whenever the same source would give other bytes: a hash of our own code. A version number
 * would have to be remembered; this cannot be forgotten.
 */
export function builderVersion(): string {
  const require = createRequire(import.meta.url)
  return hashBytes(
    ...PACKAGES.flatMap((name) => {
      const folder =
        name === 'builder' ? import.meta.dirname : dirname(require.resolve(`@octavo/${name}`))
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
