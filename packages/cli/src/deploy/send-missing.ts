import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { BuiltFiles } from '@octavo/builder/build'
import { DELTA_LIMITS, printable, printDelta } from '@octavo/model'
import { DeployError } from './deploy-error.ts'
import { makeDelta } from './make-delta.ts'
import type { ServiceClient } from './service-client.ts'

/** The maximum size of a request that uploads several small files together. */
const FRAME_BYTES_MAX = 4 * 1024 * 1024
const SENDS_AT_ONCE = 4
/** Smaller files are not worth two requests. */
const DELTA_BYTES_MIN = 16 * 1024
/** The largest files are sent as changes. If more have changed, it is likely that all of them have. */
const DELTAS_MAX = 32

type SentFiles = { readonly count: number; readonly bytes: number }

export type Upload = {
  readonly client: ServiceClient
  readonly files: BuiltFiles
  /** True if the project has a live deployment to compare with. */
  readonly hasLive: boolean
}

/** Uploads manifest runs first, then files, until the service reports no missing blobs. */
export async function sendMissing(
  upload: Upload,
  created: { readonly id: string; readonly missing: readonly string[] },
): Promise<SentFiles> {
  const { client, files } = upload
  let { hasLive } = upload
  let count = 0
  let bytes = 0
  let { missing } = created
  while (missing.length > 0) {
    const unknown = missing.find((sha256) => !files.has(sha256))
    if (unknown !== undefined)
      throw new DeployError(
        `The service requested the file ${unknown}, which is not part of the site.`,
      )
    const changes = hasLive ? await sendDeltas(client, files, missing) : NO_CHANGES
    hasLive &&= changes.isSupported
    const whole = missing.filter((sha256) => !changes.sent.has(sha256))
    await forEachOf(batchesOf(whole, files), (batch) => sendBatch(client, files, batch))
    for (const sha256 of missing) {
      count += files.filesWith(sha256)
      bytes += changes.sent.get(sha256) ?? files.sizeOf(sha256)
    }
    ;({ missing } = await client.missing(created.id))
  }
  return { count, bytes }
}

type Changes = {
  /** The number of bytes that were sent for a file, by its digest. */
  readonly sent: ReadonlyMap<string, number>
  /** False if the service cannot list the chunks of live files, for example an older one. */
  readonly isSupported: boolean
}

const NO_CHANGES: Changes = { sent: new Map(), isSupported: false }

/** Sends large files as changes of the live ones. Files that cannot be sent this way are left. */
async function sendDeltas(
  client: ServiceClient,
  files: BuiltFiles,
  missing: readonly string[],
): Promise<Changes> {
  const sent = new Map<string, number>()
  let isSupported = true
  const large = missing
    .filter((sha256) => files.sizeOf(sha256) >= DELTA_BYTES_MIN)
    .toSorted((a, b) => files.sizeOf(b) - files.sizeOf(a))
    .slice(0, DELTAS_MAX)
  await forEachOf(large, async (sha256) => {
    if (!isSupported) return
    const place = files.placeOf(sha256)
    const live = await client.liveChunks(place).catch(orUndefined)
    if (live === undefined) {
      isSupported = false
      return
    }
    const printed = printDelta(makeDelta(live, files.read(sha256)))
    if (printed.length > DELTA_LIMITS.bytes) return
    const delta = await promisify(gzip)(printed)
    if (delta.length >= files.sizeOf(sha256)) return
    const isSent = await client.putDelta(sha256, place, delta).then(() => true, orUndefined)
    if (isSent) sent.set(sha256, delta.length)
  })
  return { sent, isSupported }
}

/** Ignores a refusal: the file is then sent as a whole, which reports what is wrong. */
function orUndefined(error: unknown): undefined {
  if (!(error instanceof DeployError)) throw error
}

async function forEachOf<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  const workers = Array.from({ length: SENDS_AT_ONCE }, async () => {
    for (const item of rest) await call(item)
  })
  await Promise.all(workers)
}

function batchesOf(missing: readonly string[], files: BuiltFiles): readonly (readonly string[])[] {
  const batches: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const sha256 of missing) {
    size += files.sizeOf(sha256)
    if (size > FRAME_BYTES_MAX) {
      batches.push([])
      size = files.sizeOf(sha256)
    }
    batches.at(-1)?.push(sha256)
  }
  return batches
}

async function sendBatch(
  client: ServiceClient,
  files: BuiltFiles,
  batch: readonly string[],
): Promise<void> {
  const [only] = batch
  if (batch.length === 1 && only !== undefined) {
    await client.putOne(only, files.read(only)).catch((error: unknown) => {
      if (!(error instanceof DeployError)) throw error
      // The service only knows the digest, but the user needs the path of the file.
      throw new DeployError(`${printable(files.pathOf(only))}: ${error.message}`)
    })
    return
  }
  const { refused } = await client.putMany(
    batch.map((sha256) => ({ sha256, bytes: files.read(sha256) })),
  )
  const [first] = refused
  if (first !== undefined) throw new DeployError(`${first.sha256}: ${first.reason}`)
}
