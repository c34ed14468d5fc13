/**
 * Changes files of a built site at random, and reads them like the service.
 * A file may be read or rejected, but no other error may be thrown, and no file may exceed its time
 * limit. The process that reads the files has a small heap and must not crash.
 *
 *   npm run lab fuzz/deployment -- [--runs 100000] [--seed 1]
 *
 * Run n depends only on the seed `seed + n`: `--seed <seed of a failure> --runs 1` repeats it.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { GARDEN } from '../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../packages/service/testing/built-site.ts'
import { chooseTarget, openFuzzSite, readFile } from './deployment/deployment-files.ts'
import { Chance } from './openapi/change-specification.ts'

const FILE_MS_MAX = 250
const HEAP_MB = 192
/** The time without a report after which the process counts as stuck. */
const SILENCE_MS_MAX = 120_000
const REPORT_EVERY = 200

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const runs = Number(values.runs)
const seed = Number(values.seed)

type Report = {
  readonly done: number
  readonly lines: readonly string[]
  readonly failures: number
}

if (process.send === undefined) await watch()
else await work()

/** Starts the process that reads the files, and checks that it neither crashes nor hangs. */
async function watch(): Promise<void> {
  const child = fork(import.meta.filename, ['--runs', values.runs, '--seed', values.seed], {
    execArgv: ['--no-warnings', `--max-old-space-size=${HEAP_MB}`],
  })
  let last: Report = { done: 0, lines: [], failures: 0 }
  const kill = () => child.kill('SIGKILL')
  let silence = setTimeout(kill, SILENCE_MS_MAX)
  child.on('message', (report: Report) => {
    last = report
    clearTimeout(silence)
    silence = setTimeout(kill, SILENCE_MS_MAX)
  })
  await once(child, 'exit')
  clearTimeout(silence)
  for (const line of last.lines) console.log(line)
  if (last.done < runs) console.log(`The process ended after --seed ${seed + last.done}.`)
  process.exitCode = last.failures > 0 || last.done < runs ? 1 : 0
}

async function work(): Promise<void> {
  const site = openFuzzSite(await builtSite(GARDEN))
  const counts = new Map<string, { read: number; refused: number; slowestMs: number }>()
  const failures = new Map<string, { readonly seed: number; count: number }>()
  let slow = 0
  for (let run = 0; run < runs; run += 1) {
    const chance = new Chance(seed + run)
    const target = chooseTarget(chance)
    const count = counts.get(target.name) ?? { read: 0, refused: 0, slowestMs: 0 }
    counts.set(target.name, count)
    const read = target.make(site, chance)
    const startedAt = process.cpuUsage()
    try {
      count[await readFile(read)] += 1
    } catch (error) {
      const message = `${target.name}: ${(error as Error).stack}`
      const known = failures.get(message) ?? { seed: seed + run, count: 0 }
      known.count += 1
      failures.set(message, known)
    }
    const { user, system } = process.cpuUsage(startedAt)
    const ms = (user + system) / 1_000
    count.slowestMs = Math.max(count.slowestMs, ms)
    if (ms > FILE_MS_MAX) {
      slow += 1
      failures.set(`${target.name}: ${ms.toFixed(0)} ms`, { seed: seed + run, count: 1 })
    }
    if ((run + 1) % REPORT_EVERY === 0 || run + 1 === runs) send(run + 1)
  }

  function send(done: number): void {
    const total = [...failures.values()].reduce((sum, { count }) => sum + count, 0)
    const report: Report = {
      done,
      failures: total,
      lines: [
        `${done} changed files, ${total} failures, ${slow} slower than ${FILE_MS_MAX} ms, heap of ${HEAP_MB} MB`,
        ...[...counts].map(([name, { read, refused, slowestMs }]) => {
          return `  ${name.padEnd(20)} ${read} read, ${refused} refused, slowest ${slowestMs.toFixed(0)} ms`
        }),
        ...[...failures].map(
          ([message, one]) => `\n${one.count} × --seed ${one.seed} --runs 1\n${message}`,
        ),
      ],
    }
    process.send?.(report)
  }
}
