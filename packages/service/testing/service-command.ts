/** Runs operator commands in child processes, while this process continues to write. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

export type CommandEnd = {
  readonly code: number
  readonly text: string
  readonly seconds: number
}

const MAIN = join(import.meta.dirname, '../src/main.ts')
const OUTPUT_MAX = 10_000_000

/** The folder with Debian's programs. PostgreSQL from npm has no pg_dump. */
export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin'

export function runService(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandEnd> {
  const started = performance.now()
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--no-warnings', MAIN, ...args],
      { env: environment, maxBuffer: OUTPUT_MAX },
      (error, out, err) =>
        resolve({
          code: error === null ? 0 : Number(error.code ?? 1),
          text: out + err,
          seconds: (performance.now() - started) / 1_000,
        }),
    )
  })
}
