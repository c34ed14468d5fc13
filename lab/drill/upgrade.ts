/**
 * Upgrades a service under load and counts the failures that clients see.
 * The old version is the last release or `--from`. Before the first release, this version is
 * upgraded to a generated next one.
 *
 *   npm run lab drill/upgrade -- [--from <revision>] [--conversations 100000] [--projects 5] [--seconds 10]
 */
import { parseArgs } from 'node:util'
import { findLastRelease } from '../parts/read-history.ts'
import { type DrillResult, runDrill } from './upgrade/run-drill.ts'

const USAGE = `Usage: npm run lab drill/upgrade -- [--from <revision>] [--conversations <count>] [--projects <count>] [--seconds <count>] [--role api|all] [--keep-alive]
`
const LISTED_MAX = 10

const print = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      conversations: { type: 'string', default: '100000' },
      projects: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '10' },
      role: { type: 'string', default: 'api' },
      'keep-alive': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    print(USAGE)
    return 0
  }
  const result = await runDrill({
    from: values.from ?? findLastRelease(),
    conversations: Number(values.conversations),
    projects: Number(values.projects),
    partSeconds: Number(values.seconds),
    role: values.role === 'all' ? 'all' : 'api',
    keepAlive: values['keep-alive'],
    print,
  })
  return report(result) ? 0 : 1
}

/** Prints the result; returns true if the upgrade succeeded. */
function report(result: DrillResult): boolean {
  const { load, before, after } = result
  print('')
  for (const [phase, { requests, longestMs }] of load.phases)
    print(`${phase.padEnd(18)} ${requests} requests, longest ${Math.round(longestMs)} ms`)
  print(`migrate            ${result.migrateSeconds.toFixed(1)} s`)
  print('')
  const checks: readonly (readonly [isRight: boolean, text: string])[] = [
    [load.failures.length === 0, `failed requests: ${load.failures.length}`],
    [
      load.wrongExports.length === 0,
      `exports: ${load.exports}, with a row missing or repeated: ${load.wrongExports.length}`,
    ],
    [
      load.exportsAcross > 0,
      `exports that began on the old version and ended on the new one: ${load.exportsAcross}`,
    ],
    [
      before.rows === after.rows && before.digest === after.digest,
      `rows before: ${before.rows}, after: ${after.rows}, same content: ${before.digest === after.digest}`,
    ],
    [
      result.rows === result.expectedRows,
      `recorded ${load.recorded}, deleted ${load.deleted}, rows at the end: ${result.rows} of ${result.expectedRows}`,
    ],
    [result.countedByDay === result.rows, `counted by day: ${result.countedByDay}`],
    [
      result.newBeforeMigrate.includes('octavo-service migrate'),
      `new version before migrate: ${result.newBeforeMigrate || 'started'}`,
    ],
    [
      result.oldAfterMigrate.includes('newer version'),
      `old version started after migrate: ${result.oldAfterMigrate.slice(0, 100) || 'started'}…`,
    ],
    [result.oldReadiness.startsWith('200'), `/readyz of the old version: ${result.oldReadiness}`],
    [result.oldExitCode === 0, `exit code of the old version: ${result.oldExitCode}`],
    [result.errors.length === 0, `errors in the logs: ${result.errors.length}`],
  ]
  for (const [isRight, text] of checks) print(`${isRight ? '✓' : '✗'} ${text}`)
  for (const line of [...load.failures, ...load.wrongExports, ...result.errors].slice(
    0,
    LISTED_MAX,
  ))
    print(`  ${line}`)
  return checks.every(([isRight]) => isRight)
}

process.exitCode = await main()
