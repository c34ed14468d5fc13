import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFolder } from '../source/read-folder.ts'
import { type FolderWatch, watchFolder } from './watch-folder.ts'

let root: string
let watch: FolderWatch

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-watch-'))
  mkdirSync(join(root, 'guides'))
  writeFileSync(join(root, 'guides/a.mdx'), 'one')
})
afterEach(() => {
  watch.close()
  rmSync(root, { recursive: true, force: true })
})

/**
 * Watches a folder as the development server does: the list of folders is updated after each call.
 */
function follow(polls: boolean): (path: string) => Promise<void> {
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  watch = watchFolder({
    root,
    pollMs: polls ? 50 : undefined,
    onPaths: (paths) => {
      watch.follow(readFolder(root).folders)
      for (const path of paths) {
        seen.add(path)
        waiting.get(path)?.()
      }
    },
  })
  watch.follow(readFolder(root).folders)
  return (path) =>
    new Promise((resolve) => {
      if (seen.has(path)) resolve()
      else waiting.set(path, resolve)
    })
}

describe.each([
  ['file system events', false],
  ['polling', true],
])('watching by %s', (_, polls) => {
  test('a file that is saved in a watched folder is reported', async () => {
    const reported = follow(polls)
    writeFileSync(join(root, 'guides/a.mdx'), 'other')
    await expect(reported('guides/a.mdx')).resolves.toBeUndefined()
  })

  test('a new file is reported, even in a new folder', async () => {
    const reported = follow(polls)
    mkdirSync(join(root, 'new/deep'), { recursive: true })
    writeFileSync(join(root, 'new/deep/b.mdx'), 'new')
    await expect(reported(polls ? 'new/deep/b.mdx' : 'new')).resolves.toBeUndefined()
  })

  test('a file that is removed from a watched folder is reported', async () => {
    const reported = follow(polls)
    rmSync(join(root, 'guides/a.mdx'))
    await expect(reported('guides/a.mdx')).resolves.toBeUndefined()
  })
})

test('a folder that is replaced by another one with the same name is watched again', async () => {
  const reported = follow(false)
  rmSync(join(root, 'guides'), { recursive: true })
  mkdirSync(join(root, 'guides'))
  await reported('guides')
  writeFileSync(join(root, 'guides/late.mdx'), 'late')
  await expect(reported('guides/late.mdx')).resolves.toBeUndefined()
})
