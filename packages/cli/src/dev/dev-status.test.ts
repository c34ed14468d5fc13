import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Diagnostic, diagnose } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import type { CommandContext } from '../context/command-context.ts'
import { DevStatus } from './dev-status.ts'

function open(folder = '/nowhere') {
  const output = { text: '' }
  const stream = { isTTY: false, write: (text: string) => (output.text += text) }
  const world = { out: stream, err: stream, env: {}, cwd: folder } as unknown as CommandContext
  return { output, status: new DevStatus(world, folder) }
}

const broken = (line: number): Diagnostic =>
  diagnose('link/broken', { file: 'a.mdx', line, column: 1 }, { message: 'Nothing.', hint: 'Do.' })

const countIn = ({ text }: { readonly text: string }) => text.split('link/broken').length - 1

describe('problems in the terminal', () => {
  test('a problem is printed once, even if it is found twice or moves to another line', () => {
    const { output, status } = open()
    status.printNewProblems([broken(3), broken(3)])
    status.printNewProblems([broken(4)])
    expect(countIn(output)).toBe(1)
  })

  test('a second problem with the same message is printed too', () => {
    const { output, status } = open()
    status.printNewProblems([broken(3)])
    status.printNewProblems([broken(3), broken(9)])
    expect(countIn(output)).toBe(2)
  })

  test('a fixed problem that comes back is printed again', () => {
    const { output, status } = open()
    status.printNewProblems([broken(3)])
    status.forgetProblems([])
    status.printNewProblems([broken(3)])
    expect(countIn(output)).toBe(2)
  })

  test('if docs.json is missing, the printed hint names the docs.json of a parent folder', () => {
    const root = mkdtempSync(join(tmpdir(), 'octavo-status-'))
    writeFileSync(join(root, 'docs.json'), '{}')
    mkdirSync(join(root, 'guides'))
    const { output, status } = open(join(root, 'guides'))
    const place = { file: 'docs.json', line: 1, column: 1 }
    status.printNewProblems([
      diagnose('config/not-found', place, { message: 'None.', hint: 'Do.' }),
    ])
    expect(output.text).toContain(
      'Hint: There is one in a parent folder, ../docs.json: pass that folder, `..`.',
    )
    rmSync(root, { recursive: true })
  })
})
