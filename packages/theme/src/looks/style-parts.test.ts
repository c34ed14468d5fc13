import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sampleFrame } from '../../testing/sample-frame.ts'
import { COMPONENT_WRITERS } from '../content/components.ts'
import { PageNotes } from '../content/page-notes.ts'
import { renderContent } from '../content/render-content.ts'
import { baseStyleFiles, partStyleFiles, STYLE_PARTS, STYLES_FOLDER } from './style-parts.ts'
import { type LookName, lookOf } from './theme-looks.ts'

const LOOKS: readonly LookName[] = ['mint', 'maple', 'almond', 'willow', 'linden']
const fileOf = (name: string) => fileURLToPath(new URL(name, STYLES_FOLDER))
const read = (names: readonly string[]) =>
  names.map((name) => readFileSync(fileOf(name), 'utf8')).join('\n')

function notesOf(name: string): PageNotes {
  const notes = new PageNotes()
  const node = { kind: 'component', name, props: {}, slots: undefined, children: [] } as const
  renderContent([node], { highlight: () => [], notes })
  return notes
}

describe('theme names of existing repositories', () => {
  test('every theme name of existing repositories has a look', () => {
    const names = [
      'mint',
      'maple',
      'palm',
      'willow',
      'linden',
      'almond',
      'aspen',
      'luma',
      'sequoia',
    ]
    const looks = names.map((theme) => {
      const { frame } = sampleFrame({ theme, navigation: { pages: ['index'] } })
      return lookOf(frame.config.theme).name
    })
    expect(new Set(looks)).toEqual(new Set(LOOKS))
  })

  test('an unknown theme name falls back to the first look', () => {
    const { frame } = sampleFrame({ theme: 'oak', navigation: { pages: ['index'] } })
    expect(lookOf(frame.config.theme).name).toBe('mint')
  })

  test.each(LOOKS)('the look %s has its own stylesheet, and a site uses only that one', (look) => {
    const files = baseStyleFiles(look)
    expect(files.filter((name) => name.startsWith('look-'))).toEqual([`look-${look}.css`])
    expect(files.every((name) => existsSync(fileOf(name)))).toBe(true)
  })

  test("the text above the title follows the author's setting, or else the theme", () => {
    const page = (written: object) => {
      const { frame, view } = sampleFrame({
        ...written,
        navigation: { groups: [{ group: 'Start', pages: ['index'] }] },
      })
      return frame.renderPage(view('index'))
    }
    expect(page({ theme: 'mint' })).toContain('class="oct-eyebrow"')
    expect(page({ theme: 'aspen' })).toContain('class="oct-breadcrumbs"')
    expect(page({ theme: 'aspen', styling: { eyebrows: 'section' } })).toContain(
      'class="oct-eyebrow"',
    )
  })
})

describe('stylesheets', () => {
  test('stylesheets use logical properties instead of left and right', () => {
    const all = LOOKS.flatMap((look) => [
      ...baseStyleFiles(look),
      ...STYLE_PARTS.flatMap((part) => partStyleFiles(part, look)),
    ])
    for (const name of new Set(all)) {
      const css = readFileSync(fileOf(name), 'utf8')
      expect(css, name).not.toMatch(/^\s*(?:margin|padding|border)-(?:left|right)\b/m)
      expect(css, name).not.toMatch(/^\s*(?:left|right|float):/m)
    }
  })
})

/** The style parts for the look of components; other parts are for their placement. */
const OF_COMPONENTS = ['components', 'parts'] as const

describe('style parts of a page', () => {
  test('a page links only the style parts it uses', () => {
    const notes = new PageNotes()
    renderContent(['Text'], { highlight: () => [], notes })
    expect(notes.styleParts).toEqual([])
    expect(notesOf('Card').styleParts).toEqual(['components'])
    expect(notesOf('ResponseExample').styleParts).toEqual(['components', 'side'])
    expect(notesOf('ResponseField').styleParts).toEqual(['components', 'parts'])
  })

  test('every component loads the style parts that contain its classes', () => {
    const classes = new Map(
      OF_COMPONENTS.map((part) => [
        part,
        new Set(read(partStyleFiles(part, 'mint')).match(/\.oct-[\w-]+/g)),
      ]),
    )
    const everywhere = read(baseStyleFiles('mint'))
    for (const name of COMPONENT_WRITERS.keys()) {
      const notes = new PageNotes()
      const props = { title: 'T', label: 'L', name: 'N', value: '#fff', repo: 'a/b', tip: 'x' }
      const node = { kind: 'component', name, props, slots: undefined, children: ['x'] } as const
      const html = renderContent([node], { highlight: () => [], notes })
      const [first] = html.match(/oct-[\w-]+/) ?? []
      const needed = OF_COMPONENTS.filter(
        (part) => first && classes.get(part)?.has(`.${first}`) && !everywhere.includes(first),
      )
      expect(notes.styleParts, `${name}: ${first}`).toEqual(expect.arrayContaining(needed))
    }
  })

  test("stylesheets are linked in order: theme, parts, the author's stylesheets", () => {
    const { frame, view } = sampleFrame({ navigation: { pages: ['index'] } })
    const links = (styleParts: ('components' | 'directory' | 'math')[]) =>
      [
        ...frame
          .renderPage({ ...view('index'), styleParts })
          .matchAll(/rel="stylesheet" href="([^"]+)"/g),
      ].map((match) => match[1])
    expect(links(['directory', 'components', 'components'])).toEqual([
      '/assets/theme.css',
      '/assets/components.css',
      '/assets/directory.css',
      '/author.css',
    ])
    // A part without a file adds no link, and therefore no request.
    expect(links(['math'])).toEqual(['/assets/theme.css', '/author.css'])
  })
})

describe('component titles in the outline', () => {
  const component = (name: string, props: object, children: readonly unknown[] = []) =>
    ({ kind: 'component', name, props, slots: undefined, children }) as never
  const heading = { kind: 'heading', level: 2, id: 'inside', children: ['Inside'] } as const

  test('steps are in the outline below their heading', () => {
    const notes = new PageNotes()
    const first = { level: 2, id: 'first', text: 'First' }
    const nodes = [
      { kind: 'heading', ...first, children: ['First'] } as const,
      component('Steps', {}, [component('Step', { title: 'Do it' })]),
      component('Steps', {}, [component('Step', { title: 'Hide it', noAnchor: true })]),
    ]
    renderContent(nodes, { highlight: () => [], notes })
    expect(notes.outline([first])).toEqual([first, { level: 3, id: 'do-it', text: 'Do it' }])
  })

  test('updates are in the outline, with their headings at a deeper level', () => {
    const notes = new PageNotes()
    renderContent([component('Update', { label: 'v1' }, [heading])], {
      highlight: () => [],
      notes,
    })
    const headings = [{ level: 2, id: 'inside', text: 'Inside' }]
    expect(notes.outline(headings)).toEqual([
      { level: 2, id: 'v1', text: 'v1' },
      { level: 4, id: 'inside', text: 'Inside' },
    ])
  })
})
