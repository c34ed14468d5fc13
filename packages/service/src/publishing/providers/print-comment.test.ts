import { join } from 'node:path'
import { markdownToMdast } from 'satteri'
import { describe, expect, test } from 'vitest'
import {
  type BuildDiagnostic,
  newDiagnostics,
  readDiagnostics,
} from '../../projects/notifications/build-diagnostic.ts'
import { printStatus, type StatusFacts } from '../../projects/notifications/print-status.ts'
import { inlineCode } from './inline-code.ts'
import { type CommentFacts, printComment } from './print-comment.ts'

const problem = (message: string, file = 'guide.mdx', line = 3): BuildDiagnostic => ({
  code: 'link/broken',
  severity: 'error',
  message,
  place: { file, line, column: 1 },
})

const FACTS: CommentFacts = {
  projectId: 'prj_5kbu4k41mpelzrqs',
  projectName: 'Plants',
  state: 'finished',
  commit: '0123456789abcdef0123456789abcdef01234567',
  reason: null,
  finishedAt: new Date('2026-11-16T12:34:56Z'),
  errorCount: 0,
  warningCount: 2,
  folder: 'docs',
  diagnostics: [problem('The page `/gone` does not exist.')],
  previewUrl: 'https://plants-next-0123456789.previews.example.org',
  changes: {
    number: 2,
    base: '01',
    baseNumber: 1,
    pages: {
      added: ['/new'],
      changed: ['/', ...Array.from({ length: 12 }, (_, index) => `/guide/${index + 1}`)],
      removed: ['/gone'],
      moved: [{ from: '/old name', to: '/new name' }],
    },
    redirects: [{ source: '/old name', destination: '/new name' }],
    files: { added: 2, changed: 13, removed: 2 },
  },
  gaps: undefined,
  answers: undefined,
  readerAnswers: undefined,
  api: undefined,
  deploymentId: '01KG9YS7G0CPZHN1J3EKWGC1Y1',
  fork: undefined,
}

const answers = (lost: readonly string[], lostCount = lost.length) => {
  return { questions: 40, lostCount, lost: [...lost], gained: 1, changed: 3 }
}
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => `How often do I water plant ${index + 1}?`)

const change = (level: 'breaking' | 'additive' | 'documentation', message: string) => {
  return { level, rule: 'described', message, operations: ['GET /plants'], operationCount: 3 }
}
const NONE = {
  breaking: 0,
  additive: 0,
  documentation: 0,
  changes: [],
  access: ['default'] as const,
}
const UNREADABLE = { ...NONE, file: 'api.yaml', problem: 'The new version cannot be read.' }
const API = {
  specifications: [
    {
      ...NONE,
      file: 'openapi.yaml',
      breaking: 1,
      documentation: 1,
      changes: [
        change('breaking', 'The query parameter `garden` is now required.'),
        change('documentation', 'The operation has another summary.'),
      ],
    },
    {
      ...NONE,
      file: 'internal.yaml',
      breaking: 1,
      additive: 1,
      access: [['staff']],
      changes: [change('breaking', 'Only for staff.'), change('additive', 'Only for staff.')],
    },
  ],
}

const golden = (name: string) => join(import.meta.dirname, 'goldens', `${name}.md`)

describe('comments on pull requests', () => {
  test.each<[string, CommentFacts]>([
    ['preview', FACTS],
    [
      'unchanged',
      {
        ...FACTS,
        diagnostics: [],
        warningCount: 0,
        changes: {
          ...FACTS.changes,
          number: 2,
          base: '01',
          baseNumber: 1,
          pages: { added: [], changed: [], removed: [], moved: [] },
          redirects: [],
          files: { added: 0, changed: 0, removed: 0 },
        },
      },
    ],
    ['first-deployment', { ...FACTS, changes: undefined, diagnostics: [] }],
    ['gaps', { ...FACTS, changes: undefined, gaps: { open: 14, likely: 3, lost: 1 } }],
    ['answers-kept', { ...FACTS, changes: undefined, diagnostics: [], answers: answers([]) }],
    [
      'answers-to-readers',
      { ...FACTS, changes: undefined, diagnostics: [], readerAnswers: answers(['01KG9YS7G0']) },
    ],
    [
      'answers-lost',
      { ...FACTS, changes: undefined, diagnostics: [], answers: answers(questions(20), 21) },
    ],
    ['api', { ...FACTS, changes: undefined, diagnostics: [], api: API }],
    [
      'api-unreadable',
      { ...FACTS, changes: undefined, diagnostics: [], api: { specifications: [UNREADABLE] } },
    ],
    ['no-previews', { ...FACTS, previewUrl: undefined }],
    [
      'failed',
      {
        ...FACTS,
        state: 'failed',
        errorCount: 11,
        diagnostics: Array.from({ length: 11 }, (_, index) => problem(`Mistake ${index}`)),
      },
    ],
    [
      'failed-without-errors',
      {
        ...FACTS,
        state: 'failed',
        warningCount: 0,
        reason: 'The repository has no docs.json in the folder "docs".',
        diagnostics: [],
        previewUrl: undefined,
      },
    ],
    ['skipped', { ...FACTS, state: 'skipped', reason: 'No file of the documentation changed.' }],
    ['fork', { ...FACTS, fork: { ref: 'pull/7', isApproved: false } }],
    ['approved-fork', { ...FACTS, diagnostics: [], fork: { ref: 'pull/7', isApproved: true } }],
  ])('the pull request comment %s matches its golden file', async (name, facts) => {
    await expect(printComment(facts)).toMatchFileSnapshot(golden(name))
  })
})

/** Returns what a Git host would act on: all text outside of code, and the targets of links. */
function readMarkdown(markdown: string) {
  const texts: string[] = []
  const links: string[] = []
  const kinds: string[] = []
  const visit = (node: object): void => {
    const { type, value, url, children } = node as {
      type: string
      value?: string
      url?: string
      children?: object[]
    }
    kinds.push(type)
    if (type === 'text' || type === 'html') texts.push(value ?? '')
    if (url !== undefined) links.push(url)
    for (const child of children ?? []) visit(child)
  }
  visit(markdownToMdast(markdown))
  return { texts: texts.join('\n'), links, kinds }
}

const HOSTILE = [
  '@team please merge',
  '`@team` `',
  '`` ` ``` @team',
  '```\n@team\n```',
  '](https://evil.example) [x',
  '![x](https://evil.example/x.png)',
  '<img src=https://evil.example onerror=alert(1)>',
  '<script>alert(1)</script>',
  '</details> <!-- --> <b>',
  'https://evil.example www.evil.example mail@evil.example',
  'closes #1, GH-1, acme/docs#2, !3, $4, ~label, %"milestone", &5, :rocket:',
  '\n\n# Approved by @team\n\n/close\n\n/approve',
  '/merge\n/label ~x',
  '\\',
  '\\`',
  '`\\',
  '|a|b|\n|-|-|',
  '- [x] done',
  '&#64;team &lt;b&gt; &commat;team',
  '\u202e@team\u2066',
  '\u0000\u001b[31m@team',
  '\ud800 half',
  '$$@team$$',
  '<https://evil.example>',
  '[^1]: https://evil.example',
  '*_~~**@team**~~_*',
  '@team'.repeat(1_000),
  '`'.repeat(500),
  ' ',
  '',
] as const

describe('untrusted text in comments', () => {
  test.each(HOSTILE.map((text) => [text.slice(0, 30), text]))(
    'the hostile text %j is printed as code',
    (_, text) => {
      for (const state of ['finished', 'failed', 'skipped'] as const) {
        const markdown = printComment({
          ...FACTS,
          state,
          projectName: text,
          reason: text,
          folder: text,
          commit: text,
          diagnostics: [problem(text, text), problem(text, 'a.mdx')],
          changes: {
            number: 2,
            base: '01',
            baseNumber: 1,
            pages: {
              added: [`/${text}`],
              changed: [text],
              removed: [text],
              moved: [{ from: text, to: text }],
            },
            redirects: [{ source: text, destination: text }],
            files: { added: 0, changed: 0, removed: 0 },
          },
          answers: answers([text, 'Why?']),
          api: {
            specifications: [
              {
                ...NONE,
                file: text,
                breaking: 1,
                changes: [{ ...change('breaking', text), operations: [text] }],
              },
              { ...UNREADABLE, file: text, problem: text },
            ],
          },
          fork: { ref: text, isApproved: false },
        })
        const { texts, links, kinds } = readMarkdown(markdown)
        expect(texts).not.toMatch(/@|evil|team|#\d|alert|rocket|label|approved by/i)
        expect(texts.match(/<[^>]*>/g)).toEqual(['<!-- octavo:prj_5kbu4k41mpelzrqs -->'])
        expect(links.every((link) => link.startsWith(`${FACTS.previewUrl}`))).toBe(true)
        expect(kinds).not.toContain('image')
        expect(kinds).not.toContain('table')
        // In GitLab, a line that starts with a slash is a quick action.
        expect(markdown).not.toMatch(/^\s*\//m)
        expect(kinds.filter((kind) => kind === 'heading')).toHaveLength(1)
        expect(markdown.length).toBeLessThan(20_000)
      }
    },
  )

  test('inline code is shortened to its maximum length, and backticks in it are kept', () => {
    expect(inlineCode('a `b` c')).toBe('``a `b` c``')
    expect(inlineCode('`b`')).toBe('`` `b` ``')
    expect(inlineCode('x'.repeat(20), 10)).toBe(`\`${'x'.repeat(9)}…\``)
    const { kinds } = readMarkdown(inlineCode('`'.repeat(50)))
    expect(kinds).toContain('inlineCode')
  })
})

describe('new diagnostics', () => {
  test('a diagnostic is new if the live site does not have it, even on another line', () => {
    const live = [problem('a', 'x.mdx', 1), problem('b', 'x.mdx', 2)]
    const now = [problem('a', 'x.mdx', 9), problem('a', 'x.mdx', 10), problem('b', 'y.mdx', 2)]
    expect(newDiagnostics(now, live)).toEqual([now[1], now[2]])
    expect(newDiagnostics(live, live)).toEqual([])
  })

  test('stored diagnostics with an unexpected shape are skipped', () => {
    expect(readDiagnostics([problem('a'), { message: 'b' }, null])).toEqual([problem('a')])
    expect(readDiagnostics({})).toEqual([])
  })
})

describe('commit statuses', () => {
  const BUILD: StatusFacts = {
    state: 'finished',
    target: 'production',
    reason: null,
    errorCount: 0,
    warningCount: 0,
    firstError: undefined,
    isLive: true,
    lockReason: null,
    url: 'https://plants.sites.example.net',
  }
  test.each<[Partial<StatusFacts>, string, string]>([
    [{ state: 'queued' }, 'pending', 'Queued'],
    [{ state: 'fetching' }, 'pending', 'Building'],
    [{ state: 'uploading' }, 'pending', 'Building'],
    [{}, 'success', 'Live'],
    [{ warningCount: 1 }, 'success', 'Live (1 warning)'],
    [{ isLive: false }, 'success', 'Built'],
    [
      { isLive: false, lockReason: 'Rolled back' },
      'success',
      'Built, but not published: publishing is locked',
    ],
    [{ target: 'preview' }, 'success', 'Preview is ready'],
    [
      { state: 'failed', errorCount: 2, firstError: problem('Wrong\nkey') },
      'failure',
      'guide.mdx:3 Wrong key (2 errors)',
    ],
    [{ state: 'failed', reason: 'Out of memory.' }, 'failure', 'Failed: Out of memory.'],
    [{ state: 'skipped', reason: 'No change in docs' }, 'skipped', 'Skipped: No change in docs'],
    [{ state: 'superseded' }, 'skipped', 'Superseded: a newer commit is built'],
    [
      { state: 'superseded', reason: 'Superseded by build 7.' },
      'skipped',
      'Superseded by build 7.',
    ],
    [{ state: 'cancelled' }, 'error', 'Canceled'],
  ])('the commit status of a build with %j is printed', (more, state, description) => {
    expect(printStatus({ ...BUILD, ...more })).toMatchObject({ state, description })
  })

  test('a status links only to a visible site, and its text is short enough for every host', () => {
    expect(printStatus(BUILD).url).toBe(BUILD.url)
    expect(printStatus({ ...BUILD, state: 'failed' }).url).toBeUndefined()
    const long = {
      ...BUILD,
      state: 'failed',
      firstError: problem('x'.repeat(999)),
      errorCount: 1_000,
      warningCount: 1_000,
    } as const
    expect(printStatus(long).description.length).toBeLessThanOrEqual(140)
  })
})
