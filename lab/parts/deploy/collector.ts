/**
 * Collects unused blobs once a second, as the worker does every hour. Here a day takes one minute,
 * because no run lasts for a whole day.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../../packages/service/src/app/settings/env.ts'
import { openBlobStore } from '../../../packages/service/src/platform/blobs/open-blob-store.ts'
import { openDatabase } from '../../../packages/service/src/platform/database/database.ts'
import { createLog } from '../../../packages/service/src/platform/telemetry/log.ts'
import { collectBlobs } from '../../../packages/service/src/publishing/deployments/collect-blobs.ts'
import type { Hosting } from '../../../packages/service/testing/start-hosting.ts'

const PAUSE_MS = 1_000
const RENEWAL_SECONDS = 5
const GRACE_SECONDS = 60
/** The number of deployments that are kept, instead of 50. */
const KEPT_DEPLOYMENTS = 5
/** The planted bug: a blob may be collected before its deployment is finished. */
const NO_GRACE_SECONDS = -60

export type CollectorResult = {
  readonly runs: number
  readonly deleted: number
  /** The number of rounds that failed because the database or the store was killed. */
  readonly failed: number
}

export async function startCollector(
  hosting: Hosting,
  { isPlanted }: { readonly isPlanted: boolean },
) {
  const read = readSettings(hosting.environment)
  if (read.kind === 'wrong' || read.settings.blobs === undefined) throw new Error('no store')
  const blobs = await openBlobStore(read.settings.blobs)
  const database = openDatabase({ url: read.settings.ownerUrl, connections: 2 })
  await database.query(
    `create or replace function blob_renewal() returns interval language sql immutable as $$ select interval '${RENEWAL_SECONDS} seconds' $$`,
  )
  const [retire] = await database.query<{ text: string }>(
    `select pg_get_functiondef('retire_deployments'::regproc) as text`,
  )
  await database.query(
    (retire?.text ?? '')
      .replace("interval '30 days'", `interval '${GRACE_SECONDS} seconds'`)
      .replace('offset 50', `offset ${KEPT_DEPLOYMENTS}`),
  )
  const log = createLog(() => {}, Date.now)
  const signal = new AbortController().signal
  const graceSeconds = isPlanted ? NO_GRACE_SECONDS : GRACE_SECONDS
  const counts = { runs: 0, deleted: 0, failed: 0 }
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      try {
        const { deleted } = await collectBlobs(
          { database, blobs, now: Date.now, log },
          signal,
          graceSeconds,
        )
        counts.deleted += deleted
        counts.runs += 1
      } catch {
        counts.failed += 1
      }
      await sleep(PAUSE_MS)
    }
  })()
  // `stop` reports a failure. Until then, a rejection must not end the process, which would leave
  // servers running.
  done.catch(() => {})
  return {
    async stop(): Promise<CollectorResult> {
      isOver = true
      await done
      await database.end()
      return counts
    },
  }
}
