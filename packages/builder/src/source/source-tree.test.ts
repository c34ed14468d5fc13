import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryTree } from './memory-tree.ts'
import { readFolder } from './read-folder.ts'
import { testSourceTree } from './source-tree.case.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function writeFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), 'octavo-tree-'))
  folders.push(root)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

describe('the tree of a folder', () => {
  testSourceTree((files) => readFolder(writeFolder(files)))

  test('the tree of a folder uses the history that it is given', () => {
    const root = writeFolder({ 'a.mdx': '' })
    const history = new Map([['a.mdx', '2026-11-15T12:00:00Z']])
    const tree = readFolder(root, { changedAt: (path) => history.get(path) })
    expect(tree.changedAt('a.mdx')).toBe('2026-11-15T12:00:00Z')
  })

  test('a commit time beyond the range of dates is ignored', () => {
    const root = writeFolder({ 'a.mdx': '' })
    const at = '@8640000000001 +0000'
    const env = { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...who, 'commit', '-qm', 'x'],
    ])
      execFileSync('git', args, { cwd: root, env })
    expect(readFolder(root).changedAt('a.mdx')).toBeUndefined()
  })
})

describe('the tree in memory', () => {
  testSourceTree((files) => memoryTree(files))

  test('the tree in memory uses the history that it is given', () => {
    const tree = memoryTree({ 'a.mdx': '' }, { history: { 'a.mdx': '2026-11-15T12:00:00Z' } })
    expect(tree.changedAt('a.mdx')).toBe('2026-11-15T12:00:00Z')
  })
})
