import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { HashedTree } from './hashed-tree.ts'
import { readFolder } from './read-folder.ts'
import { SourceState } from './source-state.ts'

const LATER_MS = 60_000

let site: TemporarySite
let cache: string
beforeEach(() => {
  site = new TemporarySite({ 'a.mdx': '# A', 'b.mdx': '{/* octavo-ignore */}' })
  cache = join(site.root, 'cache')
  mkdirSync(cache)
  return () => site[Symbol.dispose]()
})

/** Hashes both files and makes their heads in one run, a minute after they were saved. */
function run(file = join(cache, 'source.json'), startedMs = Date.now() + LATER_MS) {
  const read: string[] = []
  const folder = readFolder(site.folder)
  const counted = (path: string) => {
    read.push(path)
    return folder.read(path)
  }
  const state = new SourceState(file, startedMs)
  const tree = new HashedTree({ ...folder, read: counted }, state)
  const heads = ['a.mdx', 'b.mdx'].map((path) =>
    tree.headOf(path, () => ({ length: tree.read(path)?.length })),
  )
  const hashes = ['a.mdx', 'b.mdx'].map((path) => tree.hashOf(path))
  const marked = tree.hasSuppressionMark('b.mdx')
  state.save()
  return { read, facts: { heads, hashes, marked } }
}

describe('the state of source files', () => {
  test('unchanged files are not read in the next run, and have the same facts', () => {
    const first = run()
    expect(first.read).toEqual(['a.mdx', 'b.mdx'])
    expect(run()).toEqual({ read: [], facts: first.facts })
  })

  test('only a file that was saved since the last run is read again', () => {
    const first = run()
    site.write({ 'a.mdx': '# A and more' })
    const second = run()
    expect(second.read).toEqual(['a.mdx'])
    expect(second.facts.hashes[0]).not.toBe(first.facts.hashes[0])
    expect(second.facts.heads[0]).toEqual({ length: 12 })
    expect(run()).toEqual({ read: [], facts: second.facts })
  })

  test('files that were saved shortly before a run are read again in the next run', () => {
    const file = join(cache, 'source.json')
    const { facts } = run(file, Date.now())
    expect(run(file, Date.now())).toEqual({ read: ['a.mdx', 'b.mdx'], facts })
  })

  test('edits of the same size within one tick of the clock are always noticed', () => {
    const state = () => SourceState.open(cache, 'version')
    const seen: string[] = []
    const expected: string[] = []
    for (let step = 0; step < 200; step += 1) {
      const text = `# ${String(step).padStart(3, '0')}`
      site.write({ 'a.mdx': text })
      const now = state()
      const tree = new HashedTree(readFolder(site.folder), now)
      seen.push(tree.hashOf('a.mdx'))
      expected.push(new HashedTree(readFolder(site.folder)).hashOf('a.mdx'))
      now.save()
    }
    expect(seen).toEqual(expected)
    expect(new Set(seen).size).toBe(200)
  })

  test('a file that is ignored since has no hash, although its stamp is known', () => {
    run()
    site.write({ '.octavoignore': 'a.mdx\n' })
    expect(run().facts.hashes[0]).toBe('')
  })

  test.each(['', '{', '{"files":1}', '{"files":{"a.mdx":1}}'])(
    'all files are read if the stored state is damaged: %j',
    (text) => {
      const { facts } = run()
      writeFileSync(join(cache, 'source.json'), text)
      expect(run()).toEqual({ read: ['a.mdx', 'b.mdx'], facts })
    },
  )

  test('a run leaves only its state in the cache folder', () => {
    const state = SourceState.open(cache, 'v1')
    state.add('a.mdx', '1 1 1 1', { hash: 'x' })
    state.save()
    expect(readdirSync(cache)).toEqual(['source-v1.json'])
  })
})
