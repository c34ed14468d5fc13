/**
 * Writes structured log lines. They contain ids, names and numbers, but never a query, answer,
 * header or key.
 */
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

/**
 * Returns the class, code and stack of an error. The message is omitted, because it may contain a
 * reader's text.
 */
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
