/**
 * Checks every manifest of every finished deployment, in the database and in the store: no file may
 * be missing or have different bytes.
 */
import { parseManifestRoot, parseManifestRun } from '@octavo/model'
import pg from 'pg'
import type { BlobStore } from '../../../packages/service/src/platform/blobs/blob-store.ts'
import { forEachLimited } from '../../../packages/service/src/platform/blobs/blob-store.ts'
import { readBlob } from '../../../packages/service/src/platform/blobs/read-blob.ts'
import { sha256Of } from './site-versions.ts'

export type DeploymentsCheck = {
  readonly states: ReadonlyMap<string, number>
  readonly ready: number
  readonly blobs: number
  readonly wrong: readonly string[]
}

type Row = {
  readonly project_id: string
  readonly id: string
  readonly number: string
  readonly state: string
  readonly root: Buffer
  readonly published_at: Date | null
  readonly is_live: boolean
}

const BLOB_BYTES_MAX = 100 * 1024 * 1024
const READS_AT_ONCE = 16

export async function checkDeployments(
  databaseUrl: string,
  store: BlobStore,
): Promise<DeploymentsCheck> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const wrong: string[] = []
  const states = new Map<string, number>()
  try {
    const { rows } = await client.query<Row>(
      `select d.project_id, d.id, d.number, d.state, d.root, d.published_at,
              coalesce(p.deployment_id = d.id, false) as is_live
         from deployment d left join publication p on p.project_id = d.project_id
        order by d.project_id, d.number`,
    )
    const { rows: sent } = await client.query<{ project_id: string; sha256: Buffer; size: string }>(
      'select project_id, sha256, size from project_blob',
    )
    const sizes = new Map(
      sent.map(({ project_id, sha256, size }) => [
        `${project_id} ${sha256.toString('hex')}`,
        Number(size),
      ]),
    )
    const digests = new Set<string>(sent.map(({ sha256 }) => sha256.toString('hex')))
    const texts = new Map<string, Buffer | undefined>()
    const bad = new Set<string>()
    await forEachLimited([...digests], {
      atOnce: READS_AT_ONCE,
      call: async (sha256) => {
        const bytes = await readBlob(store, sha256, BLOB_BYTES_MAX)
        if (bytes === undefined || sha256Of(bytes) !== sha256) bad.add(sha256)
        else if (bytes[0] === 0x5b || bytes[0] === 0x7b) texts.set(sha256, bytes)
      },
    })
    let ready = 0
    for (const row of rows) {
      const name = `deployment ${row.number} (${row.is_live ? 'live' : row.state})`
      const isOld = row.state === 'ready' && row.published_at !== null
      const state = row.is_live ? 'live' : isOld ? 'superseded' : row.state
      states.set(state, (states.get(state) ?? 0) + 1)
      // Garbage collection may have removed the files of an expired deployment.
      const wasReady = row.state === 'ready' || (row.state === 'expired' && !row.is_live)
      if (row.published_at !== null && !wasReady)
        wrong.push(`${name} was published and is not ready`)
      if (row.state !== 'ready') continue
      ready += 1
      const expectBlob = (sha256: string, what: string, size?: number): boolean => {
        const known = sizes.get(`${row.project_id} ${sha256}`)
        if (known === undefined) wrong.push(`${name}: ${what} is not of this project`)
        else if (size !== undefined && known !== size)
          wrong.push(`${name}: ${what} has ${known} bytes`)
        else if (bad.has(sha256)) wrong.push(`${name}: ${what} is missing in the store, or wrong`)
        else return true
        return false
      }
      const rootHash = row.root.toString('hex')
      if (!expectBlob(rootHash, 'the root')) continue
      const parsed = parseManifestRoot(texts.get(rootHash)?.toString('utf8') ?? '')
      if (parsed.kind !== 'root') {
        wrong.push(`${name}: ${parsed.reason}`)
        continue
      }
      for (const [index, { sha256 }] of parsed.root.runs.entries()) {
        if (!expectBlob(sha256, `run ${index}`)) continue
        const run = parseManifestRun(texts.get(sha256)?.toString('utf8') ?? '', parsed.root, index)
        if (run.kind !== 'run') wrong.push(`${name}: ${run.reason}`)
        else for (const entry of run.entries) expectBlob(entry.sha256, entry.path, entry.size)
      }
    }
    wrong.push(...findWrongPointers(rows))
    return { states, ready, blobs: digests.size, wrong }
  } finally {
    await client.end()
  }
}

/**
 * Returns a problem for each published deployment that is neither live nor older than the live one.
 * Without rollbacks, there must be none.
 */
function findWrongPointers(rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => {
    if (row.published_at === null || row.is_live) return []
    const live = rows.find((other) => other.project_id === row.project_id && other.is_live)
    return live !== undefined && Number(live.number) > Number(row.number)
      ? []
      : [`deployment ${row.number} was published, and ${live?.number ?? 'none'} is live`]
  })
}
