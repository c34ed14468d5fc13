import { type Diagnostic, diagnose } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { type IgnoreRule, readSuppressions, suppress } from './suppressions.ts'

const broken = (line: number, file = 'a.mdx'): Diagnostic =>
  diagnose('link/broken', { file, line, column: 1 }, { message: 'm', hint: 'h' })

function run(text: string, diagnostics: readonly Diagnostic[], ignore: readonly IgnoreRule[] = []) {
  const rules = { ignore, severity: [] }
  const { kept } = suppress(diagnostics, { files: ['a.mdx'], read: () => text, rules })
  return kept.map(({ code, place, message }) => [code, place.line, message].join(' '))
}

describe('suppressions in a page', () => {
  test('a suppression in a page applies only to the next block', () => {
    const text = '{/* octavo-ignore link/broken: moved */}\n\nA\nB\n\nC\n'
    expect(run(text, [broken(3), broken(4)])).toEqual([])
    expect(run(text, [broken(3), broken(6)])).toEqual(['link/broken 6 m'])
  })

  test.each([
    '<!-- octavo-ignore link/broken: moved -->\nA',
    '# octavo-ignore link/broken: moved\nA',
    '  {/* octavo-ignore link/broken: moved */}\r\nA',
  ])('a suppression can use any comment syntax: %j', (text) =>
    expect(run(text, [broken(2)])).toEqual([]),
  )

  test('a file suppression also applies to the lines above it', () => {
    expect(run('A\n{/* octavo-ignore-file link/broken: moved */}\n', [broken(1)])).toEqual([])
  })

  test('a suppression applies only to the code that it names', () => {
    const text = '{/* octavo-ignore link/anchor: x */}\nA'
    expect(run(text, [broken(2)])).toEqual([
      'link/broken 2 m',
      'check/suppression 1 There is no `link/anchor` here to suppress.',
    ])
  })

  test('a suppression without a reason has no effect and is reported', () => {
    const text = '{/* octavo-ignore link/broken */}\nA'
    expect(run(text, [broken(2)])).toHaveLength(2)
  })

  test('a suppression in a code fence or in a sentence is treated as an example', () => {
    const fence = '```mdx\n{/* octavo-ignore link/broken: x */}\n```\n'
    expect(readSuppressions(fence)).toEqual([])
    expect(readSuppressions('Write `{/* octavo-ignore link/broken: x */}`.')).toEqual([])
  })
})

describe('suppressions in YAML', () => {
  const covered = (text: string) =>
    readSuppressions(text, 'openapi.yaml').map(({ from, to }) => [from, to])

  test('a YAML suppression applies only to the next value', () => {
    const text = 'a:\n  # octavo-ignore link/broken: moved\n  b: |\n    x\n\n    y\n  c: z\n'
    expect(covered(text)).toEqual([[2, 6]])
  })

  test('a YAML suppression before a list item applies only to that item', () => {
    const text = '# octavo-ignore link/broken: moved\n- name: x\n  description: y\n- name: z\n'
    expect(covered(text)).toEqual([[1, 3]])
  })

  test('a YAML suppression can follow another suppression', () => {
    const text =
      '# octavo-ignore link/broken: a\n# octavo-ignore link/anchor: b\na:\n  b: c\nd: e\n'
    expect(covered(text)).toEqual([
      [1, 4],
      [2, 4],
    ])
  })

  test('a Markdown comment in YAML applies to the next paragraph', () => {
    const text = 'a: |\n  <!-- octavo-ignore link/broken: moved -->\n  x\n\n  y\n'
    expect(covered(text)).toEqual([[2, 3]])
  })
})

describe('suppression rules of docs.json', () => {
  const place = { file: 'docs.json', line: 9, column: 1 }
  const rule = { code: 'link/broken', reason: 'other program', place }

  test('a suppression rule in docs.json applies to a file, a folder or the whole site', () => {
    const found = [broken(1, 'docs.json'), broken(1, 'guides/a.mdx')]
    expect(run('', found, [rule])).toEqual([])
    expect(run('', found, [{ ...rule, file: 'docs.json' }])).toEqual(['link/broken 1 m'])
    expect(run('', found, [{ ...rule, file: '/guides/' }])).toEqual(['link/broken 1 m'])
  })

  test('a suppression rule in docs.json that suppresses nothing is reported', () => {
    expect(run('', [broken(1, 'guides.mdx')], [{ ...rule, file: 'guides' }])).toHaveLength(2)
  })
})
