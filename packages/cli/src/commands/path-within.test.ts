import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { pathWithin } from './path-within.ts'

test.each([
  ['/docs', '/docs/guides/start.mdx', 'guides/start.mdx'],
  ['/docs', '/docs', ''],
  ['/docs', '/docs/..notes/a.mdx', '..notes/a.mdx'],
  ['/docs', '/docs-old/a.mdx', undefined],
  ['/docs', '/', undefined],
])('the POSIX path from %s to %s is %s', (folder, target, way) => {
  expect(pathWithin(folder, { target, system: posix })).toBe(way)
})

test.each([
  ['C:\\docs', 'C:\\docs\\guides\\start.mdx', 'guides/start.mdx'],
  ['C:\\docs', 'c:/docs/guides/start.mdx', 'guides/start.mdx'],
  ['C:\\docs', 'C:\\', undefined],
  ['C:\\docs', 'D:\\docs\\start.mdx', undefined],
  ['\\\\server\\share\\docs', 'C:\\docs', undefined],
])('the Windows path from %s to %s is %s', (folder, target, way) => {
  expect(pathWithin(folder, { target, system: win32 })).toBe(way)
})
