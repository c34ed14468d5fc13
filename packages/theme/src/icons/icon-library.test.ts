import { describe, expect, test } from 'vitest'
import { fewIcons, readFewIcons } from '../../testing/few-icons.ts'
import { createIconLibrary } from './icon-library.ts'
import { ICON_SETS } from './icon-set.ts'
import { PAID_ICONS } from './paid-icons.ts'

function find(written: string, { type, library }: { type?: string; library?: string } = {}) {
  return fewIcons(library).find(written, { type })?.id
}

describe('the library of a site', () => {
  test('is Font Awesome where docs.json says nothing', () => {
    expect(find('rocket')).toBe('solid-rocket')
  })

  test('is the one that docs.json names', () => {
    expect(find('rocket', { library: 'lucide' })).toBe('lucide-rocket')
    expect(find('rocket', { library: 'tabler' })).toBe('tabler-rocket')
  })

  test('gives way to the library of one icon', () => {
    const icons = fewIcons('lucide')
    expect(icons.find('rocket', { library: 'tabler' })?.id).toBe('tabler-rocket')
  })

  test('is helped out by the others for a name that it does not have', () => {
    expect(find('plant-2')).toBe('tabler-plant-2')
    expect(find('python', { library: 'lucide' })).toBe('brands-python')
    expect(find('arrow-right', { library: 'tabler' })).toBe('lucide-arrow-right')
  })

  test('has nothing for a name that none has, nor for one of JavaScript itself', () => {
    expect(find('rokcet')).toBeUndefined()
    expect(find('constructor')).toBeUndefined()
    expect(find('__proto__')).toBeUndefined()
    expect(find('')).toBeUndefined()
    expect(find(':')).toBeUndefined()
    expect(find('fa-solid fas')).toBeUndefined()
    expect(find('a'.repeat(101))).toBeUndefined()
  })

  test('reads no set that it does not need', () => {
    const read: string[] = []
    const icons = createIconLibrary({
      readSet: (set) => {
        read.push(set)
        return readFewIcons(set)
      },
    })
    expect(read).toEqual([])
    icons.find('rocket')
    icons.find('rocket')
    expect(read).toEqual(['solid'])
    icons.find('github')
    expect(read).toEqual(['solid', 'solid', 'brands'])
  })
})

describe('the style of Font Awesome', () => {
  test.each([
    [undefined, 'solid-star'],
    ['solid', 'solid-star'],
    ['regular', 'regular-star'],
    ['light', 'regular-star'],
    ['thin', 'regular-star'],
    ['sharp-light', 'regular-star'],
    ['duotone', 'solid-star'],
    ['sharp-solid', 'solid-star'],
    ['sharp-duotone-solid', 'solid-star'],
  ])('%s draws %s of the free edition', (type, id) => {
    expect(find('star', type === undefined ? {} : { type })).toBe(id)
  })

  test('gives way where the icon has no such style', () => {
    expect(find('rocket', { type: 'regular' })).toBe('solid-rocket')
    expect(find('github', { type: 'solid' })).toBe('brands-github')
  })

  test('means the logos of Font Awesome in a site of any library', () => {
    expect(find('github', { type: 'brands', library: 'tabler' })).toBe('brands-github')
  })
})

describe('a name', () => {
  test.each([
    ['fa-rocket', 'solid-rocket'],
    ['fa-solid fa-rocket', 'solid-rocket'],
    ['fas fa-rocket', 'solid-rocket'],
    ['fa fa-rocket fa-2x', 'solid-rocket'],
    ['fa-regular fa-star', 'regular-star'],
    ['far fa-star', 'regular-star'],
    ['fab fa-github', 'brands-github'],
    ['fa-brands:github', 'brands-github'],
    ['fa6-brands:github', 'brands-github'],
    ['brands:github', 'brands-github'],
    ['lucide:rocket', 'lucide-rocket'],
    ['lucide-rocket', 'lucide-rocket'],
    ['tabler:rocket', 'tabler-rocket'],
    ['mdi:rocket', 'solid-rocket'],
    ['ArrowRight', 'lucide-arrow-right'],
    ['arrow_right', 'lucide-arrow-right'],
    ['GitHub', 'brands-github'],
    ['arrow right', 'lucide-arrow-right'],
    [' rocket ', 'solid-rocket'],
    ['brand', 'lucide-brand'],
  ])('written as "%s" is %s', (written, id) => {
    expect(find(written)).toBe(id)
  })

  test('that is old leads to the new one', () => {
    expect(find('home', { library: 'lucide' })).toBe('lucide-house')
    expect(find('villa', { library: 'lucide' })).toBe('lucide-house')
  })

  test('of the paid edition is drawn by a free icon that says the same', () => {
    expect(find('brackets-curly')).toBe('lucide-braces')
    expect(find('rocket-launch')).toBe('solid-rocket')
  })

  test('that is wrong is answered with the nearest', () => {
    expect(fewIcons().guess('rokcet')).toBe('rocket')
    expect(fewIcons().guess('question')).toBe('circle-question')
    expect(fewIcons().guess('qwertzuiop')).toBeUndefined()
    // Two slips from `rocket`, and a word of its own.
    expect(fewIcons().guess('pocked')).toBeUndefined()
  })
})

test('every stand-in for a paid icon names a set', () => {
  for (const { set, name } of PAID_ICONS.values()) {
    expect(ICON_SETS).toContain(set)
    expect(name).toMatch(/^[a-z\d-]+$/)
  }
})
