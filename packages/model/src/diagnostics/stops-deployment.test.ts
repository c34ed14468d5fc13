import { describe, expect, test } from 'vitest'
import { FAIL_ON, stopsDeployment } from './stops-deployment.ts'

describe('diagnostics that stop a deployment', () => {
  test.each([
    ['content/syntax', 'error', ['breaking', 'error', 'warning']],
    ['content/tag', 'error', ['error', 'warning']],
    ['link/broken', 'error', ['error', 'warning']],
    ['link/missing-file', 'error', ['error', 'warning']],
    ['nav/missing-page', 'error', ['error', 'warning']],
    ['openapi/broken-reference', 'error', ['error', 'warning']],
    ['openapi/unreadable', 'error', ['breaking', 'error', 'warning']],
    ['limit/diagnostics', 'error', ['breaking', 'error', 'warning']],
    ['an-unknown/code', 'error', ['breaking', 'error', 'warning']],
    ['link/anchor', 'warning', ['warning']],
    ['content/alt-text', 'note', []],
  ] as const)(
    'the code %s (%s) stops a deployment for these values of failOn: %j',
    (code, severity, stopping) => {
      expect(FAIL_ON.filter((failOn) => stopsDeployment({ code, severity }, failOn))).toEqual(
        stopping,
      )
    },
  )
})
