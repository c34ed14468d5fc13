import { describe, expect, test } from 'vitest'
import { EventReader } from './event-reader.ts'
import { setAt } from './value-path.ts'

describe('events of a stream', () => {
  test('are read from pieces that end anywhere', () => {
    const reader = EventReader.for('text/event-stream')
    for (const piece of [
      ': hello\n\nevent: st',
      'ep\ndata: a\nda',
      'ta: b\n',
      '\ndata:c\r\n\r\n',
    ]) {
      reader?.push(piece, 1)
    }
    expect(reader?.events).toEqual([
      { name: 'step', data: 'a\nb', timeMs: 1 },
      { name: undefined, data: 'c', timeMs: 1 },
    ])
  })

  test('may be lines of JSON, the last without an end', () => {
    const reader = EventReader.for('application/x-ndjson')
    reader?.push('{"a":1}\n{"a"', 1)
    reader?.push(':2}', 2)
    expect(reader?.events.map(({ data }) => data)).toEqual(['{"a":1}'])
    reader?.end(3)
    expect(reader?.events.map(({ data }) => data)).toEqual(['{"a":1}', '{"a":2}'])
  })

  test('are not looked for in other answers', () => {
    expect(EventReader.for('application/json')).toBe(undefined)
  })
})

describe('a value that is edited', () => {
  test('is copied, with one part other, new or gone', () => {
    const before = { a: { b: [1, 2] } }
    expect(setAt(before, '/a/b/1', 3)).toEqual({ a: { b: [1, 3] } })
    expect(setAt(before, '/a/b/0', undefined)).toEqual({ a: { b: [2] } })
    expect(setAt(before, '/c~1d', true)).toEqual({ a: { b: [1, 2] }, 'c/d': true })
    expect(setAt(undefined, '/x', 1)).toEqual({ x: 1 })
    expect(before).toEqual({ a: { b: [1, 2] } })
  })

  test('may have a field called `__proto__`, which is a name like any other', () => {
    const value = setAt({}, '/__proto__/x', 1)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}')
    expect(Object.prototype).not.toHaveProperty('x')
  })
})
