/** Compares specifications in a process with limits, since their files are untrusted. */
import { fork } from 'node:child_process'
import { comparisonProgramFile } from '../../platform/own-files.ts'
import type { ComparedSpecification } from './comparison-store.ts'

export type ComparedTexts = {
  readonly old: ReadonlyMap<string, string>
  readonly added: ReadonlyMap<string, string>
}

export type SentChanges = Omit<ComparedSpecification, 'access'>

const COMPARISON_LIMITS = { heapMb: 1_024, ms: 60_000 } as const

/** Returns the specifications that differ; undefined if a limit was reached. */
export function compareTexts(
  texts: ComparedTexts,
  signal: AbortSignal,
): Promise<readonly SentChanges[] | undefined> {
  const { heapMb, ms } = COMPARISON_LIMITS
  const { promise, resolve } = Promise.withResolvers<readonly SentChanges[] | undefined>()
  const child = fork(comparisonProgramFile(), {
    execArgv: [`--max-old-space-size=${heapMb}`, '--no-warnings'],
    serialization: 'advanced',
    // The environment contains secrets.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const stop = () => void child.kill('SIGKILL')
  const timer = setTimeout(stop, ms)
  signal.addEventListener('abort', stop)
  child.on('message', (changes: readonly SentChanges[]) => resolve(changes))
  const end = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    resolve(undefined)
  }
  // Unlike `exit`, `close` comes after the last message.
  child.on('close', end)
  child.on('error', end)
  child.send(texts, () => {})
  return promise
}
