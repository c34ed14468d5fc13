/** Collects blobs that nobody needs, once a second, with the command that operators have for it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hosting } from '../../scripts/start-hosting.ts'

const PAUSE_MS = 1_000
const SERVICE = join(import.meta.dirname, '../../packages/service/src/main.ts')
/** Long enough for an upload under way; the real one is 24 hours, which a run would never reach. */
const GRACE = ['--grace-hours', '0.01']
/** The planted bug: a blob may be collected before the deployment that it was sent for is finished. */
const NO_GRACE = ['--grace-hours', '0']

export type CollectorResult = { readonly runs: number; readonly last: string }

export function startCollector(hosting: Hosting, { isPlanted }: { readonly isPlanted: boolean }) {
  let isOver = false
  let runs = 0
  let last = ''
  const done = (async () => {
    while (!isOver) {
      last = await collect(hosting, isPlanted ? NO_GRACE : GRACE)
      runs += 1
      await sleep(PAUSE_MS)
    }
  })()
  // Told by `stop`; until then a failure must not end the process and leave its servers behind.
  done.catch(() => {})
  return {
    async stop(): Promise<CollectorResult> {
      isOver = true
      await done
      return { runs, last }
    },
  }
}

function collect(hosting: Hosting, grace: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', SERVICE, 'blobs', 'collect', ...grace],
      { env: hosting.environment },
    )
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve(text.trim())
      else reject(new Error(`blobs collect: ${text.trim()}`))
    })
  })
}
