/** Runs one round of the job that processes gaps and compares answers. */
import type { ModelSettings } from '@octavo/contract'
import { openAnswerParts } from '../src/answers/assistant/open-assistant.ts'
import { createGapJob } from '../src/answers/gaps/run-gaps.ts'
import type { BlobStore } from '../src/platform/blobs/blob-store.ts'
import type { Tenant } from '../src/platform/database/database.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { BlobCache } from '../src/reading/hosting/blob-cache.ts'
import type { TestService } from './test-service.ts'

type GapRound = {
  readonly service: TestService
  readonly blobs: BlobStore
  readonly tenant: Tenant
  readonly model?: ModelSettings | undefined
  readonly onNotify?: () => void
}

export async function runGapRound(round: GapRound): Promise<void> {
  const { settings } = round.service
  const assistant = { ...settings.assistant, model: round.model }
  const log = createLog(() => {}, Date.now)
  const cache = new BlobCache(round.blobs, 10_000_000)
  const now = Date.now
  const parts = openAnswerParts({
    settings: { ...settings, assistant },
    blobs: round.blobs,
    cache,
    log,
    now,
  })
  const job = createGapJob({
    database: round.service.service.database,
    parts,
    cache,
    notifyHost: async () => round.onNotify?.(),
    now,
    log,
  })
  const { signal } = new AbortController()
  await job({ data: round.tenant, signal, finish: async () => {} })
  parts.libraries.stop()
}
