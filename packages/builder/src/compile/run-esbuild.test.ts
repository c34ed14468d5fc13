import * as esbuild from 'esbuild'
import { describe, expect, test } from 'vitest'
import { runEsbuild } from './run-esbuild.ts'

describe('input that esbuild cannot handle', () => {
  // Ambiguous arrow functions in TypeScript: every level doubles the compilation time.
  const endless = `x=${'a?(b):c=>('.repeat(40)}b${')'.repeat(40)}`
  const plain = () => esbuild.transform('let a: number = 1', { loader: 'tsx' })

  test('a compilation is stopped at its time limit, and the next one succeeds', async () => {
    const ran = await runEsbuild(() => esbuild.transform(endless, { loader: 'tsx' }), 300)
    expect(ran).toEqual({ kind: 'gave-up', reason: 'compiling the file takes more than 0.3 s' })
    expect((await runEsbuild(plain)).kind).toBe('done')
  })

  test('a compilation that hangs does not make concurrent ones fail', async () => {
    const late = runEsbuild(() => esbuild.transform(endless, { loader: 'tsx' }), 300)
    const others = await Promise.all([runEsbuild(plain), runEsbuild(plain)])
    expect(others.map(({ kind }) => kind)).toEqual(['done', 'done'])
    expect((await late).kind).toBe('gave-up')
  })

  test('a syntax error is returned as a failed result, not as a failure of the compiler', async () => {
    const ran = await runEsbuild(() => esbuild.transform('let a b', { logLevel: 'silent' }))
    expect(ran.kind).toBe('failed')
  })
})
