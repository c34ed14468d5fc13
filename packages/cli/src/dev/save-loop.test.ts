import { describe, expect, test } from 'vitest'
import { SaveLoop } from './save-loop.ts'

describe('save loop', () => {
  test('paths that are added before the save loop starts are not lost', async () => {
    const loop = new SaveLoop()
    loop.add(new Set(['a']))
    loop.add(new Set(['b']))
    const taken = Promise.withResolvers<readonly string[]>()
    loop.start(async (paths) => taken.resolve([...paths]))
    expect(await taken.promise).toEqual(['a', 'b'])
  })

  test('the save loop handles one batch at a time, and paths added meanwhile form the next one', async () => {
    const loop = new SaveLoop()
    const seen: string[] = []
    const second = Promise.withResolvers<void>()
    loop.start(async (paths) => {
      seen.push([...paths].join(' '))
      if (seen.length === 1) {
        loop.add(new Set(['b']))
        loop.add(new Set(['c']))
        await Promise.resolve()
      } else second.resolve()
    })
    loop.add(new Set(['a']))
    await second.promise
    expect(seen).toEqual(['a', 'b c'])
  })

  test('the save loop retries a failed batch together with new paths', async () => {
    const loop = new SaveLoop()
    const seen: string[] = []
    const done = Promise.withResolvers<void>()
    loop.start(async (paths) => {
      seen.push([...paths].join(' '))
      if (seen.length > 1) return done.resolve()
      loop.add(new Set(['b']))
      throw new Error('A file moved while it was read.')
    })
    loop.add(new Set(['a']))
    await done.promise
    expect(seen).toEqual(['a', 'b a'])
  })
})
