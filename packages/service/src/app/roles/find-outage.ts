import type { Server } from 'node:net'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import type { Worker } from './worker.ts'

/** The maximum time of a check, shorter than the timeout of health probes. */
const PROBE_MS_MAX = 5_000

type Parts = {
  readonly isStopping: () => boolean
  /** Undefined in a role that serves no requests. */
  readonly server: Pick<Server, 'listening'> | undefined
  /** Undefined in a process that runs no jobs. */
  readonly worker: Pick<Worker, 'findProblem'> | undefined
  readonly database: Database
  readonly blobs: BlobStore | undefined
}

/**
 * Returns why this process is not ready for its role, for `/readyz`; undefined if it is ready.
 */
export async function findOutage(parts: Parts): Promise<string | undefined> {
  const { isStopping, server, worker, database, blobs } = parts
  if (isStopping()) return 'the process is shutting down'
  if (server?.listening === false) return 'the port for requests is not open'
  const [isDatabaseUp, isStoreUp] = await Promise.all([
    succeeds(database.query('select 1')),
    blobs === undefined || succeeds(readFirst(blobs)),
  ])
  if (!isDatabaseUp) return 'the database cannot be reached'
  if (!isStoreUp) return 'the store of blobs cannot be reached'
  return worker?.findProblem()
}

function succeeds(probe: Promise<unknown>): Promise<boolean> {
  return withTimeout(probe, PROBE_MS_MAX).then(
    () => true,
    () => false,
  )
}

/** Reads the first entry of the blob list, which fails if the store is down. */
async function readFirst(blobs: BlobStore): Promise<void> {
  for await (const _ of blobs.list()) return
}
