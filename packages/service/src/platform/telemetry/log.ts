/** Structured lines. Never a query, an answer, a header or a key: ids, names and numbers only. */
export type Log = {
  readonly info: (message: string, facts: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, facts: Readonly<Record<string, unknown>>) => void
}

export function createLog(write: (line: string) => void, now: () => number): Log {
  const line = (level: string, message: string, facts: Readonly<Record<string, unknown>>) => {
    const { error, ...rest } = facts
    const what = error === undefined ? {} : { error: describe(error) }
    write(
      `${JSON.stringify({ at: new Date(now()).toISOString(), level, message, ...rest, ...what })}\n`,
    )
  }
  return {
    info: (message, facts) => line('info', message, facts),
    error: (message, facts) => line('error', message, facts),
  }
}

/** Class, code and place of an error. Its message may hold what a reader wrote, so it stays out. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  const stack = error.stack
    ?.replace(error.message, '')
    .split('\n')
    .filter((row) => row.trim().startsWith('at '))
    .slice(0, 8)
  return { name: error.name, ...(code === undefined ? {} : { code }), stack }
}
