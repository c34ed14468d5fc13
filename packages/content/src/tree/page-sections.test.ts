import { describe, expect, test } from 'vitest'
import { createPageParser } from '../parse-page.ts'
import { pageSections } from './page-sections.ts'

const parse = createPageParser({ read: () => undefined })

/** Returns the id of each section, its heading path, and its text. */
function sectionsOf(mdx: string): readonly (readonly string[])[] {
  const { children, headings } = parse('page.mdx', mdx)
  return pageSections(children, { headings }).map(({ id, path, heading, text }) => [
    id,
    [...path, heading].join(' > '),
    text,
  ])
}

describe('sections of a page', () => {
  test('the first section of a page has no heading and exists even if it is empty', () => {
    expect(sectionsOf('')).toEqual([['', '', '']])
    expect(sectionsOf('## One')).toEqual([
      ['', '', ''],
      ['one', 'One', ''],
    ])
    expect(sectionsOf('intro\n\n## One\n\ntext')).toEqual([
      ['', '', 'intro'],
      ['one', 'One', 'text'],
    ])
  })

  test('a section has the path of its parent headings even if heading levels are skipped', () => {
    const mdx = '## A\n\n#### B\n\n### C\n\n#### D\n\n## E\n\n# F\n\n## G'
    expect(sectionsOf(mdx).map(([, path]) => path)).toEqual([
      '',
      'A',
      'A > B',
      'A > C',
      'A > C > D',
      'E',
      'F',
      'F > G',
    ])
  })

  test('sections with equal headings have different ids', () => {
    expect(sectionsOf('## Use\n\na\n\n## Use\n\nb')).toEqual([
      ['', '', ''],
      ['use', 'Use', 'a'],
      ['use-2', 'Use', 'b'],
    ])
  })

  test.each([
    ['code', '## Run `npm` & **wait**\n\na', 'run-npm--wait', 'Run npm & wait'],
    ['an image', '## ![Logo](/a.png)\n\na', 'logo', 'Logo'],
    ['another alphabet', '## Привет, мир\n\na', 'привет-мир', 'Привет, мир'],
    ['a badge', '## Plans <Badge>New</Badge>\n\na', 'plans-new', 'Plans New'],
  ])('a section is named after a heading with %s', (_, mdx, id, heading) => {
    expect(sectionsOf(mdx)).toEqual([
      ['', '', ''],
      [id, heading, 'a'],
    ])
  })

  test.each([
    ['a tab', '<Tabs><Tab title="npm">\n### In\na\n</Tab></Tabs>', 'npm'],
    ['an accordion', '<Accordion title="More">\n### In\na\n</Accordion>', 'More'],
    ['a wrapper', '<div>\n### In\na\n</div>', ''],
    ['a list', '- x\n\n  ### In\n\n  a', 'x'],
  ])('a section can begin inside %s', (_, mdx, before) => {
    expect(sectionsOf(mdx)).toEqual([
      ['', '', before],
      ['in', 'In', 'a'],
    ])
  })

  test('a heading in a prop of a component begins a section', () => {
    expect(sectionsOf('<Card title={<h3>In a prop</h3>}>a</Card>')).toEqual([
      ['', '', 'a'],
      ['in-a-prop', 'In a prop', ''],
    ])
  })

  test('a heading that is hidden from readers begins no section', () => {
    const mdx = 'a\n\n<Visibility for="agents">\n## Unseen\nb\n</Visibility>\n\nc'
    expect(sectionsOf(mdx)).toEqual([['', '', 'a\nc']])
  })

  test('children that the initial state of an island shows are not repeated in the text', () => {
    const mdx = `export const Box = ({ children }) => {
  const [n, setN] = useState(0)
  return <section onClick={() => setN(n + 1)}>{children}</section>
}

<Box>
## Inside

words
</Box>`
    expect(sectionsOf(mdx)).toEqual([
      ['', '', ''],
      ['inside', 'Inside', 'words'],
    ])
  })

  test('a heading that is shown twice begins only one section', () => {
    const mdx = 'export const Part = <h2>Part</h2>\n\n{Part}\n\na\n\n{Part}\n\nb'
    expect(sectionsOf(mdx)).toEqual([
      ['', '', ''],
      ['part', 'Part', 'a\nPart\nb'],
    ])
  })

  test('a page of 10,000 headings is split quickly', () => {
    const sections = sectionsOf('###### same\n\n'.repeat(10_000))
    expect(sections).toHaveLength(10_001)
    expect(sections.at(-1)).toEqual(['same-10000', 'same', ''])
  })
})

test('a heading that is not in the list of headings is text of the section around it', () => {
  const { children } = parse('page.mdx', 'a\n\n## Not listed\n\nb')
  expect(pageSections(children, { headings: [] })).toEqual([
    { id: '', path: [], heading: '', text: 'a\nNot listed\nb' },
  ])
})
