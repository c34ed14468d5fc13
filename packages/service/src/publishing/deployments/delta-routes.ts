import { LiveChunks } from '@octavo/contract'
import { DELTA_LIMITS } from '@octavo/model'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { LiveDeltas } from './live-deltas.ts'
import { BlobParams, digestProblem, TAG, WRITE } from './routes.ts'

type DeltasOf = (tenant: Tenant) => LiveDeltas

const PlaceQuery = z.object({
  path: z.string().min(1).meta({ description: 'The path of a file of the live deployment.' }),
  kind: z.enum(['file', 'run']).default('file').meta({
    description: 'With `run`, the run of the manifest that lists this path.',
  }),
})

export const deltaRoutes = (deltasOf: DeltasOf): readonly Route[] => [
  listLiveChunks(deltasOf),
  sendDelta(deltasOf),
]

const listLiveChunks = (deltasOf: DeltasOf) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/live-chunks',
    tag: TAG,
    summary: 'List the chunks of a live file',
    description:
      'The sizes and hashes of the chunks of a file of the live deployment, so that a client can send only what has changed.',
    caller: WRITE,
    params: ProjectParams,
    query: PlaceQuery,
    reply: LiveChunks,
    // Each call reads a whole file.
    limit: { action: 'chunks', perHour: 6_000 },
    handle: ({ caller, query }) => deltasOf(caller.tenant).chunksOf(query),
  })

const sendDelta = (deltasOf: DeltasOf) =>
  defineRoute({
    method: 'PUT',
    path: '/v1/projects/:projectId/blobs/:sha256/delta',
    tag: TAG,
    summary: 'Send the changes of a file',
    description:
      'Stores a file that is made of parts of a live file and of new bytes. The body is compressed with gzip. It has parts: 4 bytes each (big endian) for where to copy from, how many bytes to copy, and how many new bytes follow, and then the new bytes.',
    caller: WRITE,
    params: BlobParams,
    query: PlaceQuery,
    stream: { type: 'application/gzip', bytesMax: DELTA_LIMITS.bytes },
    problems: ['unprocessable', 'insufficient-storage'],
    async handle({ caller, params, query, stream }) {
      const outcome = await deltasOf(caller.tenant).put(query, params.sha256, stream)
      if (outcome !== 'stored') throw digestProblem()
      return undefined
    },
  })
