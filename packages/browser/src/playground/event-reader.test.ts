import { describe, expect, test } from 'vitest'
import { EventReader } from './event-reader.ts'
import { setAt } from './value-path.ts'

describe('stream events', () => {
  test('server-sent events may be split across chunks', () => {
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

  test('the last line of a JSON lines stream may lack a line break', () => {
    const reader = EventReader.for('application/x-ndjson')
    reader?.push('{"a":1}\n{"a"', 1)
    reader?.push(':2}', 2)
    expect(reader?.events.map(({ data }) => data)).toEqual(['{"a":1}'])
    reader?.end(3)
    expect(reader?.events.map(({ data }) => data)).toEqual(['{"a":1}', '{"a":2}'])
  })

  test('a plain JSON response is not read as events', () => {
    expect(EventReader.for('application/json')).toBe(undefined)
  })
})

describe('editing a value', () => {
  test('setting, adding or removing a part of a value returns a copy', () => {
    const before = { a: { b: [1, 2] } }
    expect(setAt(before, '/a/b/1', 3)).toEqual({ a: { b: [1, 3] } })
    expect(setAt(before, '/a/b/0', undefined)).toEqual({ a: { b: [2] } })
    expect(setAt(before, '/c~1d', true)).toEqual({ a: { b: [1, 2] }, 'c/d': true })
    expect(setAt(undefined, '/x', 1)).toEqual({ x: 1 })
    expect(before).toEqual({ a: { b: [1, 2] } })
  })

  test('a field named `__proto__` does not change the prototype', () => {
    const value = setAt({}, '/__proto__/x', 1)
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}')
    expect(Object.prototype).not.toHaveProperty('x')
  })
})
