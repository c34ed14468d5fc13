/** Contract tests that every implementation of `SiteOutput` must pass. */
import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SiteOutput } from './site-output.ts'

/** A place to which successive builds write a site. */
export type OutputPlace = Disposable & {
  /** Starts the next build, which can use the finished output of the previous one. */
  readonly open: () => SiteOutput
}

const FACTS = { key: 'made of a', access: 'default' } as const

export function describeSiteOutput(name: string, createPlace: () => OutputPlace): void {
  describe(name, () => {
    let place: OutputPlace
    beforeEach(() => {
      place = createPlace()
    })
    afterEach(() => place[Symbol.dispose]())

    const build = (write: (output: SiteOutput) => void) => {
      const output = place.open()
      write(output)
      return { output, finished: output.finish() }
    }

    test('content that was written is part of the site and can be read', () => {
      const { output } = build((it) => {
        it.write('guides/größe.md', 'Größe', FACTS)
        it.write('a.bin', new Uint8Array([1, 2]), { access: 'public' })
      })
      expect(output.has('a.bin')).toBe(true)
      expect(output.has('guides')).toBe(false)
      expect(Buffer.from(output.readBytes('guides/größe.md')).toString()).toBe('Größe')
      expect([...output.readBytes('a.bin')]).toEqual([1, 2])
    })

    test('entries are sorted and have a hash, size in bytes, access and ranges', () => {
      const ranges = [{ start: 1, end: 3, access: ['team'] }]
      const { output } = build((it) => {
        it.write('b.txt', 'é', { access: 'public' })
        it.write('a.txt', 'abc', { access: 'default', ranges })
      })
      expect(output.entries()).toEqual([
        { path: 'a.txt', sha256: hash('sha256', 'abc'), size: 3, access: 'default', ranges },
        { path: 'b.txt', sha256: hash('sha256', 'é'), size: 2, access: 'public' },
      ])
    })

    test('only the first content of a path is kept', () => {
      const { output } = build((it) => {
        it.write('a.txt', 'first', FACTS)
        it.write('a.txt', 'second', FACTS)
      })
      expect(Buffer.from(output.readBytes('a.txt')).toString()).toBe('first')
    })

    test('content and its ranges are kept only if the key is the same', () => {
      const ranges = [{ start: 0, end: 1, access: ['team'] }]
      build((it) => it.write('a.txt', 'a', { ...FACTS, ranges }))
      const { output } = build((it) => {
        expect(it.keep('a.txt', { ...FACTS, key: 'other' })).toBe(false)
        expect(it.has('a.txt')).toBe(false)
        expect(it.keep('a.txt', { ...FACTS, access: 'public' })).toBe(true)
        expect(it.keep('b.txt', FACTS)).toBe(false)
      })
      expect(output.entries()).toEqual([
        { path: 'a.txt', sha256: hash('sha256', 'a'), size: 1, access: 'public', ranges },
      ])
    })

    test('the key of content without a key is the hash of its bytes', () => {
      build((it) => it.write('a.txt', 'a', { access: 'default' }))
      build((it) => {
        expect(it.keep('a.txt', { key: hash('sha256', 'b'), access: 'default' })).toBe(false)
        expect(it.keep('a.txt', { key: hash('sha256', 'a'), access: 'default' })).toBe(true)
      })
    })

    test('content with a hash in its name is kept without a key', () => {
      build((it) => it.write('a-1f.bin', 'a', FACTS))
      build((it) => {
        expect(it.keepNamed('a-2e.bin', 'default')).toBe(false)
        expect(it.keepNamed('a-1f.bin', 'default')).toBe(true)
        expect(it.has('a-1f.bin')).toBe(true)
      })
    })

    test('a source file is copied unless it no longer exists', () => {
      const { output } = build((it) => {
        it.copy('a.png', () => new Uint8Array([9]), 'public')
        it.copy('gone.png', () => undefined, 'public')
      })
      expect([...output.readBytes('a.png')]).toEqual([9])
      expect(output.entries().map(({ path }) => path)).toEqual(['a.png'])
    })

    test('a file that is written in parts exists after it is closed', () => {
      const { output } = build((it) => {
        const parts = it.openParts('all.txt', FACTS)
        parts.add('ab')
        parts.add(new Uint8Array([0x63]))
        expect(it.has('all.txt')).toBe(false)
        parts.close()
      })
      expect(output.entries()).toEqual([
        { path: 'all.txt', sha256: hash('sha256', 'abc'), size: 3, access: 'default' },
      ])
      build((it) => expect(it.keep('all.txt', FACTS)).toBe(true))
    })

    test('access to a file can be set after the file is written', () => {
      const { output } = build((it) => {
        it.write('a.png', 'a', { access: 'default' })
        it.label('a.png', ['team'])
        it.label('never-written.png', ['team'])
      })
      expect(output.entries().map(({ path, access }) => [path, access])).toEqual([
        ['a.png', ['team']],
      ])
    })

    test('content that is not written again is removed from the site', () => {
      build((it) => {
        it.write('old.txt', 'a', FACTS)
        it.write('same.txt', 'b', FACTS)
        it.write('changed.txt', 'c', FACTS)
      })
      const { output, finished } = build((it) => {
        expect(it.earlier().toSorted()).toEqual(['changed.txt', 'old.txt', 'same.txt'])
        it.keep('same.txt', FACTS)
        it.write('changed.txt', 'd', { ...FACTS, key: 'made of d' })
        it.write('new.txt', 'e', FACTS)
      })
      expect(finished).toEqual({ count: 3, writtenCount: 2, removedCount: 1 })
      expect(output.has('old.txt')).toBe(false)
      const { output: next } = build(() => {})
      expect(next.earlier().toSorted()).toEqual(['changed.txt', 'new.txt', 'same.txt'])
    })
  })
}
