import * as esbuild from 'esbuild'
import { describe, expect, test } from 'vitest'
import { runEsbuild } from './run-esbuild.ts'

describe('a text that the compiler cannot cope with', () => {
  // Ambiguous arrow functions in TypeScript: every level doubles the time.
  const endless = `x=${'a?(b):c=>('.repeat(40)}b${')'.repeat(40)}`
  const plain = () => esbuild.transform('let a: number = 1', { loader: 'tsx' })

  test('ends after the limit of time, and the next text is compiled', async () => {
    const ran = await runEsbuild(() => esbuild.transform(endless, { loader: 'tsx' }), 300)
    expect(ran).toEqual({ kind: 'gave-up', reason: 'compiling it takes more than 0.3 s' })
    expect((await runEsbuild(plain)).kind).toBe('done')
  })

  test('does not take another text with it that is compiled at the same time', async () => {
    const late = runEsbuild(() => esbuild.transform(endless, { loader: 'tsx' }), 300)
    const others = await Promise.all([runEsbuild(plain), runEsbuild(plain)])
    expect(others.map(({ kind }) => kind)).toEqual(['done', 'done'])
    expect((await late).kind).toBe('gave-up')
  })

  test('a mistake in a text is no failure of the compiler', async () => {
    const ran = await runEsbuild(() => esbuild.transform('let a b', { logLevel: 'silent' }))
    expect(ran.kind).toBe('failed')
  })
})
