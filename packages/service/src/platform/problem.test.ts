import { describe, expect, test } from 'vitest'
import { asProblem } from './problem.ts'

describe('problems from thrown values', () => {
  test.each([
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('x'), { code: 'EPIPE' }),
    Object.assign(new Error('x'), { code: '57P01' }),
    Object.assign(new Error('cannot execute UPDATE in a read-only transaction'), { code: '25006' }),
    Object.assign(new Error('recovery is in progress'), { code: '55000' }),
    Object.assign(new Error('x'), { code: '3D000', severity: 'FATAL' }),
  ])('the error "%s" is reported as an unreachable database', (error) => {
    expect(asProblem(error).code).toBe('unavailable')
  })

  test.each([
    new TypeError("Cannot read properties of undefined (reading 'connection')"),
    new RangeError('timeout'),
    new ReferenceError('connection is not defined'),
    Object.assign(new Error('x'), { code: '42P01' }),
    'connection',
  ])('the thrown value "%s" is reported as an internal error', (error) => {
    expect(asProblem(error).code).toBe('internal')
  })
})
