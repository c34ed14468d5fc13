import { describe, expect, test } from 'vitest'
import { createThreadStore, type Thread, type Turn } from './kept-threads.ts'

function memory() {
  const map = new Map<string, string>()
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  }
}
const turn = (question: string, text = 'a'): Turn => ({
  question,
  text,
  steps: [],
  sources: [{ url: '/a', title: 'A' }],
  nearest: [],
  status: 'answered',
})
const thread = (id: string, ...turns: Turn[]): Thread => ({ id, turns })

describe('stored conversations', () => {
  test('stored conversations are returned latest first and can be deleted', () => {
    const kept = createThreadStore('/docs', memory)
    expect(kept.read()).toEqual([])
    const store = memory()
    const own = createThreadStore('/docs', () => store)
    own.keep(thread('a', turn('1')))
    own.keep(thread('b', turn('2')))
    own.keep(thread('a', turn('1'), turn('3')))
    expect(own.read()).toEqual([thread('a', turn('1'), turn('3')), thread('b', turn('2'))])
    // Another site on the same host has separate conversations.
    expect(createThreadStore('/other', () => store).read()).toEqual([])
    own.forget()
    expect(store.map.size).toBe(0)
  })

  test('stored conversations are limited in number and size', () => {
    const store = memory()
    const kept = createThreadStore('', () => store)
    for (let index = 0; index < 50; index += 1)
      kept.keep(thread(String(index), ...Array.from({ length: 40 }, () => turn('q'))))
    expect(kept.read().length).toBe(20)
    expect(kept.read()[0]?.turns.length).toBe(30)
    for (let index = 0; index < 50; index += 1)
      kept.keep(thread(`large ${index}`, turn('q', 'x'.repeat(30_000))))
    expect(Math.max(...[...store.map.values()].map(({ length }) => length))).toBeLessThan(330_000)
  })

  test('malformed or unavailable storage contains no conversations', () => {
    const store = memory()
    const kept = createThreadStore('', () => store)
    for (const value of ['{', 'null', '{"a":1}', '[null,{"id":1},{"id":"a","turns":[{}]}]']) {
      store.map.set('octavo-assistant', value)
      expect(kept.read()).toEqual([])
    }
    const closed = createThreadStore('', () => {
      throw new Error('switched off')
    })
    closed.keep(thread('a', turn('1')))
    closed.forget()
    expect(closed.read()).toEqual([])
  })
})
