import { describe, expect, test } from 'vitest'
import { sizeAttributes } from './size-attributes.ts'

const SIZE = { width: 800, height: 600 }

describe('size attributes of images', () => {
  test('an image without width and height gets the size of its file', () => {
    expect(sizeAttributes({}, SIZE)).toBe(' width="800" height="600"')
  })

  test.each([
    [{ width: '400' }, ' height="300"'],
    [{ width: '400px' }, ' height="300"'],
    [{ height: '60' }, ' width="80"'],
    [{ height: '0' }, ' width="1"'],
  ])('an image with %o gets the missing dimension', (written, expected) => {
    expect(sizeAttributes(written, SIZE)).toBe(expected)
  })

  test('an image with a relative width gets an aspect ratio', () => {
    expect(sizeAttributes({ width: '50%' }, SIZE)).toBe(' style="aspect-ratio:800/600"')
  })

  test('a complete size or a style is not changed', () => {
    expect(sizeAttributes({ width: '1', height: '1' }, SIZE)).toBe('')
    expect(sizeAttributes({ width: '50%', style: 'float:left' }, SIZE)).toBe('')
  })

  test('an image with only an aspect ratio fills its container unless it is styled', () => {
    const shape = { width: 24, height: 12, isShape: true } as const
    expect(sizeAttributes({}, shape)).toBe(' style="inline-size:100%;aspect-ratio:24/12"')
    expect(sizeAttributes({ class: 'icon' }, shape)).toBe('')
    expect(sizeAttributes({ width: '48' }, shape)).toBe(' height="24"')
  })

  test('an image on another host gets no size', () => {
    expect(sizeAttributes({}, undefined)).toBe('')
  })
})
