/**
 * Runs esbuild, which uses one child process for all compilations. If an input crashes or blocks
 * that process, the failure is returned as a result, and the next compilation starts a new process.
 */
import * as esbuild from 'esbuild'

/**
 * Time limit of a compilation. A few lines of TypeScript can keep a compiler busy for years, but a
 * real file takes milliseconds.
 */
const COMPILE_TIME_MS_MAX = 5_000

export type Ran<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly errors: readonly esbuild.Message[] }
  | { readonly kind: 'gave-up'; readonly reason: string }

/** Runs one transformation or build with a time limit. */
export async function runEsbuild<Result>(
  run: () => Promise<Result>,
  timeMaxMs: number = COMPILE_TIME_MS_MAX,
): Promise<Ran<Result>> {
  const first = await runOnce(run, timeMaxMs)
  // Another compilation may have stopped the shared process, so this compilation is retried once.
  return first.kind === 'gave-up' ? runOnce(run, timeMaxMs) : first
}

async function runOnce<Result>(
  run: () => Promise<Result>,
  timeMaxMs: number,
): Promise<Ran<Result>> {
  // After esbuild is stopped, its earlier promises never settle.
  const late = Promise.withResolvers<Ran<Result>>()
  const timer = setTimeout(() => {
    void esbuild.stop()
    late.resolve({
      kind: 'gave-up',
      reason: `compiling the file takes more than ${timeMaxMs / 1000} s`,
    })
  }, timeMaxMs)
  const done = run().then(
    (result): Ran<Result> => ({ kind: 'done', result }),
    (error: unknown): Ran<Result> => failureOf(error),
  )
  try {
    return await Promise.race([done, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown): Ran<never> {
  const errors = messagesOf(error)
  if (errors !== undefined) return { kind: 'failed', errors }
  if (!isStopped(error)) throw error
  // Without this call, the library would continue to use the process that has ended.
  void esbuild.stop()
  return { kind: 'gave-up', reason: 'the compiler crashed' }
}

function messagesOf(error: unknown): readonly esbuild.Message[] | undefined {
  const { errors } = error as Partial<esbuild.BuildFailure>
  return Array.isArray(errors) && errors.length > 0 ? errors : undefined
}

function isStopped(error: unknown): boolean {
  return (
    error instanceof Error && /service (?:was stopped|is no longer running)/.test(error.message)
  )
}
