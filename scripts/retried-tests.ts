/**
 * Lists tests that passed only on a retry, with their first error, and fails the run if there are
 * many, because flaky tests are bugs.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const RETRIED_MAX = 3

export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `${module.relativeModuleId}: ${test.fullName}\n    ${firstError(test)}`),
    )
    if (retried.length === 0) return
    console.log(`Passed only when run again (at most ${RETRIED_MAX}):\n  ${retried.join('\n  ')}`)
    if (retried.length > RETRIED_MAX) process.exitCode = 1
  }
}

function firstError(test: TestCase): string {
  const [error] = test.result().errors ?? []
  const place = error?.stacks?.[0]
  return `${error?.message ?? 'no error'}${place ? ` (line ${place.line})` : ''}`
}
