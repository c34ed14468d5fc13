import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BUILD_JOURNAL, BUILD_RECORD } from '../source/read-folder.ts'
import { MemoryOutput } from './memory-output.ts'
import { OutputFolder } from './output-folder.ts'
import { describeSiteOutput } from './site-output.case.ts'

class TemporaryFolder implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'octavo-output-'))

  open(): OutputFolder {
    return new OutputFolder(join(this.root, 'site'))
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

describeSiteOutput('a folder', () => new TemporaryFolder())

describeSiteOutput('the memory of a server', () => {
  let last: MemoryOutput | undefined
  return {
    open: () => {
      last = new MemoryOutput(last)
      return last
    },
    [Symbol.dispose]: () => undefined,
  }
})

describe('the output folder of a build', () => {
  const facts = { key: 'a', access: 'default' } as const

  test('foreign files in the folder are kept, and our own files are removed with their empty folders', () => {
    using folder = new TemporaryFolder()
    const first = folder.open()
    first.write('deep/er/a.txt', 'a', facts)
    first.write('b.txt', 'b', facts)
    first.finish()
    writeFileSync(join(folder.root, 'site/CNAME'), 'docs.example.com')
    folder.open().finish()
    expect(readdirSync(join(folder.root, 'site')).toSorted()).toEqual([BUILD_RECORD, 'CNAME'])
  })

  test('a file whose bytes are unchanged is not written again', () => {
    using folder = new TemporaryFolder()
    const first = folder.open()
    first.write('a.txt', 'a', facts)
    first.finish()
    const again = folder.open()
    again.write('a.txt', 'a', { ...facts, key: 'other' })
    expect(again.finish()).toEqual({ count: 1, writtenCount: 0, removedCount: 0 })
  })

  test('a file can become a folder and a folder can become a file', () => {
    using folder = new TemporaryFolder()
    const first = folder.open()
    first.write('a', 'file', facts)
    first.write('b/c.txt', 'in a folder', facts)
    first.finish()
    const second = folder.open()
    second.write('a/c.txt', 'in a folder', facts)
    second.write('b', 'file', facts)
    second.finish()
    expect(readFileSync(join(folder.root, 'site/a/c.txt'), 'utf8')).toBe('in a folder')
    expect(readFileSync(join(folder.root, 'site/b'), 'utf8')).toBe('file')
  })

  test('the files of an interrupted build are not trusted', () => {
    using folder = new TemporaryFolder()
    folder.open().write('a.txt', 'a', facts)
    expect(existsSync(join(folder.root, 'site', BUILD_JOURNAL))).toBe(true)
    const next = folder.open()
    expect(next.keep('a.txt', facts)).toBe(false)
    expect(next.keepNamed('a.txt', 'default')).toBe(false)
    next.finish()
    expect(readdirSync(join(folder.root, 'site'))).toEqual([BUILD_RECORD])
  })

  test('a forged build record cannot remove files outside the folder', () => {
    using folder = new TemporaryFolder()
    const first = folder.open()
    first.write('a.txt', 'a', facts)
    first.finish()
    const mine = join(folder.root, 'mine.txt')
    writeFileSync(mine, 'mine')
    const outputs = { '../mine.txt': { sha256: '', key: '' }, [mine]: { sha256: '', key: '' } }
    writeFileSync(join(folder.root, 'site', BUILD_RECORD), JSON.stringify({ outputs }))
    expect(folder.open().finish().removedCount).toBe(0)
    expect(readFileSync(mine, 'utf8')).toBe('mine')
  })
})
