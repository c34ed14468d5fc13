/** Turns a built folder into a deployment, with the same steps as `octavo deploy`. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BuiltFiles, openBuiltFiles } from '@octavo/builder'
import { forEachLimited } from '../../platform/blobs/blob-store.ts'
import { Problem } from '../../platform/problem.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { singleChunk } from '../deployments/uploads.ts'
import type { DoneDeployment } from './build.ts'
import type { BuildRow } from './store.ts'

export type SentDeployment =
  | { readonly kind: 'same'; readonly files: number }
  | {
      readonly kind: 'sent'
      readonly files: number
      readonly sentFiles: number
      readonly url: string | undefined
      readonly deployment: DoneDeployment
    }

const BATCHES_AT_ONCE = 2
const BATCH_BYTES = 8 * 1024 * 1024
/**
 * Uploads are attempted several times, so that a brief outage of the store does not restart the
 * build.
 */
const ATTEMPTS_MAX = 5
const TRY_AGAIN_MS = 2_000

export async function sendDeployment(
  deployments: DeploymentService,
  { build, output, liveRoot }: { build: BuildRow; output: string; liveRoot: string | undefined },
): Promise<SentDeployment> {
  const files = openBuiltFiles(output)
  const root = createHash('sha256').update(files.root).digest('hex')
  if (build.target === 'production' && root === liveRoot)
    return { kind: 'same', files: files.count }
  const { sentFiles, done } = await sendFiles(deployments, files, {
    target: build.target,
    draft: false,
    branch: build.ref,
    commit: build.commit_sha,
    ...(build.message !== null && { message: build.message }),
    by: `build ${build.id}`,
    idempotencyKey: undefined,
    build: build.id,
  })
  return {
    kind: 'sent',
    files: files.count,
    sentFiles,
    url: done.url,
    deployment: { id: done.id, state: done.state, notPublished: done.notPublished },
  }
}

type NewDeployment = Omit<Parameters<DeploymentService['create']>[0], 'root'>

/** Uploads missing files and releases the deployment, unless it is locked or outdated. */
export async function sendFiles(
  deployments: DeploymentService,
  files: BuiltFiles,
  input: NewDeployment,
) {
  const created = await retried(() => deployments.create({ ...input, root: files.root }))
  let sentFiles = 0
  if (created.state === 'uploading') {
    let missing: readonly string[] = created.missing
    // The first request uploads runs of the manifest. Only then is it known which files are
    // missing.
    while (missing.length > 0) {
      await putAll(deployments, files, missing)
      sentFiles += missing.filter((sha256) => !isRun(files.pathOf(sha256))).length
      missing = await retried(() => deployments.missing(created.id))
    }
  }
  const done = await retried(() => deployments.finish(created.id))
  return { sentFiles, done }
}

/** Returns true for a part of the manifest, which does not count as a file of the site. */
const isRun = (path: string) => path.startsWith('_octavo/manifest/')

/**
 * Uploads small files in batches: for a single file, the two SQL statements would take longer than
 * the upload.
 */
async function putAll(
  deployments: DeploymentService,
  files: BuiltFiles,
  missing: readonly string[],
): Promise<void> {
  await forEachLimited(batchesOf(missing, files), {
    atOnce: BATCHES_AT_ONCE,
    call: async (batch) => {
      const body = Buffer.concat(batch.flatMap((sha256) => frameOf(sha256, files.read(sha256))))
      const { refused } = await retried(() => deployments.putMany(singleChunk(body), body.length))
      const [first] = refused
      if (first !== undefined) throw new Error(`a file of the site was refused: ${first.reason}`)
    },
  })
}

function batchesOf(missing: readonly string[], files: BuiltFiles): readonly (readonly string[])[] {
  const batches: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const sha256 of missing) {
    size += files.sizeOf(sha256)
    if (size > BATCH_BYTES) {
      batches.push([])
      size = files.sizeOf(sha256)
    }
    batches.at(-1)?.push(sha256)
  }
  return batches
}

/** Encodes a file in the format that `readFrames` reads. */
function frameOf(sha256: string, bytes: Buffer): readonly Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return [Buffer.from(sha256, 'hex'), length, bytes]
}

async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      const isOutage = error instanceof Problem && error.code === 'unavailable'
      if (!isOutage || tried === ATTEMPTS_MAX) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}
