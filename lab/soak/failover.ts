/**
 * Kills the leader of three PostgreSQL nodes under load, and checks that no write is lost.
 * There are three PostgreSQL nodes under Patroni behind HAProxy, and api, worker and two hosts as
 * processes. The load consists of readers, questions, conversations, an owner, deployments and
 * exports at the same time. The leader is killed with SIGKILL, together with its Patroni.
 *
 *   npm run lab soak/failover -- [--kills 10] [--way kill|freeze] [--verbose]
 *
 * Exits with 1 if an acknowledged conversation is lost, an export skips a row, a site is a mix of
 * two deployments, a reader of pages sees an error, a process of the service ends, or a client sees
 * anything but a success, 503 with Retry-After or an answer that says it was interrupted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answer, startModelServer } from '../../packages/assistant/testing/model-server.ts'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { modelEnvironment } from '../parts/assistant/model-environment.ts'
import { type Failover, failOver, METHODS } from './failover/kill-leaders.ts'
import { printResult, seconds, startMixedLoad } from './failover/mixed-load.ts'
import {
  missingPatroniPrograms,
  PATRONI_PACKAGES,
  type RunningPatroni,
  startPatroni,
} from './failover/start-patroni.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    way: { type: 'string', default: 'kill' },
    verbose: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const way = METHODS.find((name) => name === values.way)
if (way === undefined || !Number.isInteger(kills) || kills < 1) {
  console.log(`--kills must be a whole number above 0, --way one of ${METHODS.join(', ')}.`)
  process.exit(2)
}
if (missingPatroniPrograms().length > 0) {
  console.log(`Patroni is missing: apt-get install --no-install-recommends ${PATRONI_PACKAGES}`)
  process.exit(2)
}

/**
 * The time for which the load continues after the last failover, so that every role can recover.
 */
const AFTER_MS = 10_000

const model = await startModelServer()
model.behave(answer('Use `hose on` [1].\n{"answered": true, "sources": [1]}', 900))
const patroni = await startPatroni()
let hosting: Hosting | undefined
async function end(): Promise<void> {
  await hosting?.stop()
  await patroni.stop()
  model.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().then(() => process.exit(1)))
try {
  hosting = await startHosting({
    database: patroni,
    environment: modelEnvironment(model.url),
    onLine: (line) => values.verbose && line.includes('"error"') && console.log(`    ${line}`),
  })
  process.exitCode = (await soak(hosting, patroni)) ? 0 : 1
} finally {
  await end()
}

async function soak(hosting: Hosting, patroni: RunningPatroni): Promise<boolean> {
  const load = await startMixedLoad(hosting, { pace: 1 })
  console.log(`${kills} failovers under load`)
  const failovers: Failover[] = []
  for (let count = 1; count <= kills; count += 1) {
    const failover = await failOver(patroni, way ?? 'kill')
    failovers.push(failover)
    const { from, to, leaderlessMs, wholeMs } = failover
    console.log(
      `  ${count}: ${from} → ${to}, new leader after ${seconds(leaderlessMs)}, three nodes after ${seconds(wholeMs)}; ${load.progress()}`,
    )
  }
  await sleep(AFTER_MS)
  const result = await load.finish()
  const longest = Math.max(...failovers.map(({ leaderlessMs }) => leaderlessMs))
  console.log(
    `\nleader ${way === 'kill' ? 'killed' : 'frozen'} ${failovers.length} times, without a leader for ${seconds(longest)} at most`,
  )
  return printResult(result)
}
