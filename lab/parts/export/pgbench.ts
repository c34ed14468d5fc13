/** Runs the page query directly on the database with pgbench, as a baseline for the service. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type PgbenchJob = {
  readonly port: number
  readonly clients: number
  readonly seconds: number
  /** At most 128 statements. Each client runs random ones. */
  readonly statements: readonly string[]
  /** The PostgreSQL settings of every session. */
  readonly settings: Readonly<Record<string, string>>
}

export type PgbenchResult = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const PLACES = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench']

/**
 * Runs pgbench with prepared statements and the service's role, so that row-level security costs
 * the same.
 */
export async function runPgbench(job: PgbenchJob): Promise<PgbenchResult> {
  const binary = PLACES.find((place) => existsSync(place)) ?? 'pgbench'
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbench-'))
  try {
    const files = job.statements.map((statement, index) => {
      const file = join(folder, `${index}.sql`)
      writeFileSync(file, `${statement};\n`)
      return ['-f', file]
    })
    const { stdout } = await promisify(execFile)(
      binary,
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(job.port),
        '-U',
        'postgres',
        '-n',
        '-M',
        'prepared',
        '-c',
        String(job.clients),
        '-j',
        '2',
        '-T',
        String(job.seconds),
        '-l',
        '--log-prefix',
        join(folder, 'log'),
        ...files.flat(),
        'postgres',
      ],
      { env: { ...process.env, PGOPTIONS: printOptions(job.settings) }, maxBuffer: 1e8 },
    )
    if (/number of failed transactions: [1-9]/.test(stdout)) throw new Error(stdout)
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    return { perSecond, ...readLatencies(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printOptions(settings: PgbenchJob['settings']): string {
  return Object.entries({ role: 'octavo_app', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/**
 * Reads the latencies from the log, whose lines contain client, number, microseconds, script,
 * second and microsecond.
 */
function readLatencies(folder: string): Pick<PgbenchResult, 'p50Ms' | 'p99Ms'> {
  const sorted = readdirSync(folder)
    .filter((name) => name.startsWith('log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1_000)
    .sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
