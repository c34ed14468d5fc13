import { describe, expect, test } from 'vitest'
import { readTestIcons, testIcons } from '../../testing/few-icons.ts'
import { createIconLibrary } from './icon-library.ts'
import { ICON_SETS } from './icon-set.ts'
import { PAID_ICONS } from './paid-icons.ts'

function find(written: string, { type, library }: { type?: string; library?: string } = {}) {
  return testIcons(library).find(written, { type })?.id
}

describe('icon library of a site', () => {
  test('the default icon library is Font Awesome', () => {
    expect(find('rocket')).toBe('solid-rocket')
  })

  test('docs.json selects the icon library', () => {
    expect(find('rocket', { library: 'lucide' })).toBe('lucide-rocket')
    expect(find('rocket', { library: 'tabler' })).toBe('tabler-rocket')
  })

  test('a single icon may use another library', () => {
    const icons = testIcons('lucide')
    expect(icons.find('rocket', { library: 'tabler' })?.id).toBe('tabler-rocket')
  })

  test("a name that the site's library does not have is found in another library", () => {
    expect(find('plant-2')).toBe('tabler-plant-2')
    expect(find('python', { library: 'lucide' })).toBe('brands-python')
    expect(find('arrow-right', { library: 'tabler' })).toBe('lucide-arrow-right')
  })

  test('unknown names and names of JavaScript properties find no icon', () => {
    expect(find('rokcet')).toBeUndefined()
    expect(find('constructor')).toBeUndefined()
    expect(find('__proto__')).toBeUndefined()
    expect(find('')).toBeUndefined()
    expect(find(':')).toBeUndefined()
    expect(find('fa-solid fas')).toBeUndefined()
    expect(find('a'.repeat(101))).toBeUndefined()
  })

  test('icon sets are read only when needed', () => {
    const read: string[] = []
    const icons = createIconLibrary({
      readSet: (set) => {
        read.push(set)
        return readTestIcons(set)
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

describe('Font Awesome styles', () => {
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
  ])('the icon style %s resolves to the free icon %s', (type, id) => {
    expect(find('star', type === undefined ? {} : { type })).toBe(id)
  })

  test('an icon that does not exist in the requested style uses another style', () => {
    expect(find('rocket', { type: 'regular' })).toBe('solid-rocket')
    expect(find('github', { type: 'solid' })).toBe('brands-github')
  })

  test('`brands` finds Font Awesome logos, whichever library the site uses', () => {
    expect(find('github', { type: 'brands', library: 'tabler' })).toBe('brands-github')
  })
})

describe('icon names', () => {
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
  ])('the icon name "%s" resolves to %s', (written, id) => {
    expect(find(written)).toBe(id)
  })

  test('an old icon name finds the new icon', () => {
    expect(find('home', { library: 'lucide' })).toBe('lucide-house')
    expect(find('villa', { library: 'lucide' })).toBe('lucide-house')
  })

  test('a paid icon is replaced by a similar free one', () => {
    expect(find('brackets-curly')).toBe('lucide-braces')
    expect(find('rocket-launch')).toBe('solid-rocket')
  })

  test('a misspelled name has a suggestion', () => {
    expect(testIcons().guess('rokcet')).toBe('rocket')
    expect(testIcons().guess('question')).toBe('circle-question')
    expect(testIcons().guess('qwertzuiop')).toBeUndefined()
    // This name is two edits away from `rocket`, and is itself a word.
    expect(testIcons().guess('pocked')).toBeUndefined()
  })
})

test('every replacement of a paid icon names a valid set', () => {
  for (const { set, name } of PAID_ICONS.values()) {
    expect(ICON_SETS).toContain(set)
    expect(name).toMatch(/^[a-z\d-]+$/)
  }
})
