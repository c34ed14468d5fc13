import { describe, expect, test } from 'vitest'
import { sizeAttributes } from './size-attributes.ts'

const SIZE = { width: 800, height: 600 }

describe('an image keeps a place of its shape', () => {
  test('without a size of the author, it has its own', () => {
    expect(sizeAttributes({}, SIZE)).toBe(' width="800" height="600"')
  })

  test.each([
    [{ width: '400' }, ' height="300"'],
    [{ width: '400px' }, ' height="300"'],
    [{ height: '60' }, ' width="80"'],
    [{ height: '0' }, ' width="1"'],
  ])('%o: the other side follows', (written, expected) => {
    expect(sizeAttributes(written, SIZE)).toBe(expected)
  })

  test('a share of the page has no other side in pixels', () => {
    expect(sizeAttributes({ width: '50%' }, SIZE)).toBe(' style="aspect-ratio:800/600"')
  })

  test('what the author wrote stays alone', () => {
    expect(sizeAttributes({ width: '1', height: '1' }, SIZE)).toBe('')
    expect(sizeAttributes({ width: '50%', style: 'float:left' }, SIZE)).toBe('')
  })

  test('a drawing without a size is as wide as its place, unless it is styled', () => {
    const shape = { width: 24, height: 12, isShape: true } as const
    expect(sizeAttributes({}, shape)).toBe(' style="inline-size:100%;aspect-ratio:24/12"')
    expect(sizeAttributes({ class: 'icon' }, shape)).toBe('')
    expect(sizeAttributes({ width: '48' }, shape)).toBe(' height="24"')
  })

  test('nothing is known of an image of another host', () => {
    expect(sizeAttributes({}, undefined)).toBe('')
  })
})
