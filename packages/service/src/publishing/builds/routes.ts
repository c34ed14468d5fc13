import { BUILD_STATES, Build, BuildDiagnostics, BuildList, BuildLogLine } from '@octavo/contract'
import { z } from 'zod'
import type { Tenant } from '../../platform/database/database.ts'
import { ProjectParams, pageQuery, ulidParam, wholeNumber } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { NDJSON } from '../../platform/http/stream-lines.ts'
import { READ, TRIGGER_LIMIT, WaitQuery, WRITE } from '../deployments/routes.ts'
import { LOG_LINES_MAX } from './build-log.ts'
import type { BuildService } from './build-service.ts'

const TAG = 'Builds'
const PATH = '/v1/projects/:projectId/builds'
const ONE = `${PATH}/:buildId`
/**
 * The maximum duration of a response that follows a build. The client can then continue after its
 * last line.
 */
const FOLLOW_MS = 5 * 60_000

const BuildParams = ProjectParams.extend({
  buildId: ulidParam('This build does not exist.').meta({
    description: 'The id of a build.',
    examples: ['01KG9YS7G0CPZHN1J3EKWGC1Y1'],
  }),
})

const page = pageQuery('Builds')

export type BuildRouteDeps = {
  readonly buildsOf: (tenant: Tenant) => BuildService
  readonly onBrokenStream: (error: unknown) => void
  readonly now: () => number
}

export const buildRoutes = (deps: BuildRouteDeps): readonly Route[] => [
  listBuilds(deps),
  createBuild(deps),
  getBuild(deps),
  readLog(deps),
  getDiagnostics(deps),
  cancelBuild(deps),
  retryBuild(deps),
]

const listBuilds = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'List builds',
    description: 'The builds of a project, newest first.',
    caller: READ,
    params: ProjectParams,
    query: z.object({
      cursor: page.cursor,
      ref: z.string().optional().meta({ description: 'Only builds of this branch.' }),
      state: z.enum(BUILD_STATES).optional().meta({ description: 'Only builds in this state.' }),
      limit: page.limit,
    }),
    reply: BuildList,
    handle: ({ caller, query: { cursor, ref, state, limit } }) =>
      buildsOf(caller.tenant).list({ cursor, ref, state, limit: Math.max(1, limit) }),
  })

const createBuild = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Build now',
    description:
      'Reads the connected repository, and builds and publishes the newest commit of the published branch, even if it was built before. Returns 502 if the repository could not be read.',
    caller: WRITE,
    params: ProjectParams,
    reply: Build,
    status: 202,
    problems: ['conflict', 'upstream-failed'],
    limit: TRIGGER_LIMIT,
    async handle({ caller, audit }) {
      const builds = buildsOf(caller.tenant)
      const id = await builds.update()
      await audit({ action: 'build.create', object: `build ${id}` })
      return builds.get(id, 0)
    },
  })

const getBuild = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: ONE,
    tag: TAG,
    summary: 'Get a build',
    description:
      'One build. With `wait`, the response is sent when the state of the build changes, or after the given number of seconds.',
    caller: READ,
    params: BuildParams,
    query: WaitQuery,
    reply: Build,
    handle: ({ caller, params, query }) => buildsOf(caller.tenant).get(params.buildId, query.wait),
  })

const readLog = ({ buildsOf, onBrokenStream, now }: BuildRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/log`,
    tag: TAG,
    summary: 'Read the log of a build',
    description:
      'Lines of JSON, each with its number. The response follows a running build until it ends. To continue an interrupted response, use `after`.',
    caller: READ,
    params: BuildParams,
    query: z.object({
      after: wholeNumber(LOG_LINES_MAX).default(0).meta({
        description: 'The number of the last line that you have.',
        type: 'integer',
        minimum: 0,
        default: 0,
      }),
      follow: z.enum(['true', 'false']).default('true').meta({
        description: 'With `false`, the response ends after the lines that exist now.',
      }),
    }),
    reply: BuildLogLine,
    formats: [NDJSON],
    async handle({ caller, params, query }) {
      const builds = buildsOf(caller.tenant)
      // Check this first, since a started stream can no longer respond with 404.
      await builds.find(params.buildId)
      const untilMs = query.follow === 'true' ? now() + FOLLOW_MS : 0
      const pages = builds.log(params.buildId, query.after, untilMs)
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = await pages.next().catch((error: unknown) => {
            onBrokenStream(error)
            throw new Error('the stream failed')
          })
          if (next.done) return controller.close()
          const lines = next.value.map(({ line, at, text }) =>
            JSON.stringify({ line, at: at.toISOString(), text } satisfies BuildLogLine),
          )
          controller.enqueue(Buffer.from(`${lines.join('\n')}\n`))
        },
        async cancel() {
          await pages.return(undefined)
        },
      })
      return new Response(stream, { headers: { 'content-type': NDJSON } })
    },
  })

const getDiagnostics = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${ONE}/diagnostics`,
    tag: TAG,
    summary: 'Get the diagnostics of a build',
    description: 'The problems of the site, in the format of `octavo check --json`.',
    caller: READ,
    params: BuildParams,
    reply: BuildDiagnostics,
    handle: ({ caller, params }) => buildsOf(caller.tenant).diagnostics(params.buildId),
  })

const cancelBuild = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${ONE}/cancel`,
    tag: TAG,
    summary: 'Cancel a build',
    description:
      'Cancels a waiting build, or stops a running build within a few seconds. A build that is being published cannot be canceled.',
    caller: WRITE,
    params: BuildParams,
    reply: Build,
    problems: ['conflict'],
    async handle({ caller, params, audit }) {
      const build = await buildsOf(caller.tenant).cancel(params.buildId, 'an API request')
      await audit({ action: 'build.cancel', object: `build ${params.buildId}` })
      return build
    },
  })

const retryBuild = ({ buildsOf }: BuildRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${ONE}/retry`,
    tag: TAG,
    summary: 'Retry a build',
    description:
      'Builds the same commit again, as a new build. Only the newest build of a branch can be retried.',
    caller: WRITE,
    params: BuildParams,
    reply: Build,
    status: 202,
    problems: ['conflict'],
    async handle({ caller, params, audit }) {
      const build = await buildsOf(caller.tenant).retry(params.buildId)
      await audit({ action: 'build.retry', object: `build ${params.buildId}` })
      return build
    },
  })
