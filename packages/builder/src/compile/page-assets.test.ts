import { describe, expect, test } from 'vitest'
import { createPageAssets } from './page-assets.ts'

const FILES = ['images/a.png', 'guides/b.png', 'guides/my picture.png', 'images/wei#rd?.png']

function assetsOf(file: string) {
  return createPageAssets(file, (path) => ({
    exists: FILES.includes(path),
    size: FILES.includes(path) ? { width: 4, height: 3 } : undefined,
  }))
}

describe('image paths on a page', () => {
  test.each([
    ['/images/a.png', '/images/a.png'],
    ['../images/a.png', '/images/a.png'],
    ['/docs/images/a.png', '/images/a.png'],
    ['/ai/docs/images/a.png', '/images/a.png'],
    ['./b.png', '/guides/b.png'],
    ['b.png', '/guides/b.png'],
    ['b.png?x=1#top', '/guides/b.png?x=1#top'],
    ['my picture.png', '/guides/my%20picture.png'],
    ['my%20picture.png', '/guides/my%20picture.png'],
    ['/images/wei%23rd%3F.png', '/images/wei%23rd%3F.png'],
  ])('the image path %s on guides/start resolves to %s', (written, address) => {
    const { resolveAsset, imageSize } = assetsOf('guides/start.mdx')
    expect(resolveAsset(written)).toBe(address)
    expect(imageSize(address)).toEqual({ width: 4, height: 3 })
  })

  test('a path without a leading slash is looked up relative to the page, then from the root', () => {
    const { resolveAsset, looked } = assetsOf('guides/start.mdx')
    expect(resolveAsset('images/a.png')).toBe('/images/a.png')
    expect([...looked]).toEqual(['guides/images/a.png', 'images/a.png'])
  })

  test.each([
    'https://example.com/a.png',
    '//example.com/a.png',
    'data:image/png;base64,AAAA',
    '#top',
    '',
  ])('the URL "%s" is not a path of the site and is not changed', (written) => {
    const { resolveAsset, looked } = assetsOf('guides/start.mdx')
    expect(resolveAsset(written)).toBe(written)
    expect(looked.size).toBe(0)
  })

  test.each([
    ['/missing.png', '/missing.png'],
    ['missing.png', '/guides/missing.png'],
    ['%E0%A4%A.png', '/guides/%25E0%25A4%25A.png'],
  ])(
    'the path %s on guides/start is resolved even if the file does not exist',
    (written, address) => {
      const { resolveAsset, imageSize } = assetsOf('guides/start.mdx')
      expect(resolveAsset(written)).toBe(address)
      expect(imageSize(address)).toBeUndefined()
    },
  )

  test('an image path cannot lead to a file outside the site', () => {
    const { resolveAsset, looked } = assetsOf('guides/start.mdx')
    expect(resolveAsset('../../../etc/passwd')).toBe('/etc/passwd')
    expect(resolveAsset('/../../etc/passwd')).toBe('/../../etc/passwd')
    expect([...looked]).toEqual(['etc/passwd', 'passwd'])
  })
})
