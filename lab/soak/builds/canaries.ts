/**
 * Searches for secrets that must not appear in log lines, in arguments and environments of
 * processes, in the database, or in files. The service's settings may be in its own environment,
 * but not in the environments of processes that it starts for authors' files.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryDatabase } from './ask-database.ts'

export type Canaries = {
  /** Secrets of tenants, which must not appear anywhere. */
  readonly secrets: readonly string[]
  /** Secrets of the operator, which only the service itself may have. */
  readonly settings: readonly string[]
}

const SAMPLE_MS = 500
const WRONG_MAX = 20
const SERVICE = 'packages/service/src/main.ts'

export function createCanaryWatch() {
  const wrong = new Set<string>()
  let secrets: readonly string[] = []
  let all: readonly string[] = []
  let lines = 0
  let processes = 0
  let isOver = false
  const seen = new Set<string>()
  const report = (text: string) => wrong.size < WRONG_MAX && wrong.add(text)
  const hasOne = (text: string, canaries: readonly string[]) =>
    canaries.some((canary) => text.includes(canary))

  function sample(): void {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      // The arguments are read first, because a newly forked process still has the arguments and
      // environment of its parent.
      const args = readProcess(pid, 'cmdline')
      const environment = readProcess(pid, 'environ')
      if (args === '') continue
      const key = `${pid} ${args}`
      if (!seen.has(key)) processes += 1
      seen.add(key)
      const shown = args.split('\0').slice(0, 3).join(' ')
      if (hasOne(args, all)) report(`a secret is in the arguments of ${shown}`)
      if (hasOne(environment, args.includes(SERVICE) ? secrets : all))
        report(`a secret is in the environment of ${shown}`)
    }
  }

  async function run(): Promise<void> {
    while (!isOver) {
      sample()
      await sleep(SAMPLE_MS, undefined, { ref: false })
    }
  }

  return {
    wrong,
    counts: () => ({ lines, processes }),
    onLine(line: string): void {
      lines += 1
      if (hasOne(line, all)) report('a secret is in a line of a log')
    },
    /** Adds secrets that become known later. */
    add(more: readonly string[]): void {
      secrets = [...secrets, ...more.flatMap(formsOf)]
      all = [...all, ...more.flatMap(formsOf)]
    },
    start(canaries: Canaries): { readonly stop: () => Promise<void> } {
      secrets = canaries.secrets.flatMap(formsOf)
      all = [...secrets, ...canaries.settings]
      const running = run()
      return {
        async stop() {
          isOver = true
          await running
        },
      }
    },
    /** Checks that no column of any table contains a secret in plain text. */
    async searchDatabase(ask: QueryDatabase): Promise<void> {
      const tables = await ask<{ name: string }>(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname in ('public', 'jobs')`,
      )
      for (const { name } of tables) {
        const found = await ask(
          `select from ${name} t where exists (
             select from unnest($1::text[]) s where position(s in t::text) > 0) limit 1`,
          [all],
        )
        if (found.length > 0) report(`a secret is in the table ${name}`)
      }
    },
    /** Searches clones, caches and blobs. */
    searchFiles(folders: readonly string[]): void {
      const { stdout } = spawnSync('grep', ['-rlF', '-f', '-', ...folders], {
        input: all.join('\n'),
        encoding: 'utf8',
      })
      for (const file of stdout.split('\n')) if (file !== '') report(`a secret is in ${file}`)
    },
  }
}

function readProcess(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // The process has ended.
    return ''
  }
}

/**
 * Returns the secret as it is, and in the three forms that it can have inside longer base64 text.
 */
function formsOf(secret: string): readonly string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${' '.repeat(shift)}${secret}`).toString('base64')
    return text.slice(shift === 0 ? 0 : 4, -4)
  })
  return [secret, ...inBase64]
}
