/**
 * Adds builds from Git to the data of `npm run dev`, with the code that the service's worker uses.
 * All of them have ended: the worker would take an open one and end it at once, because the sample
 * project is not connected to a repository.
 */
import { diagnose } from '../../packages/model/src/index.ts'
import {
  openDatabase,
  type ProjectDatabase,
} from '../../packages/service/src/platform/database/database.ts'
import { type ProjectRow, tenantOf } from '../../packages/service/src/projects/projects/store.ts'
import type { NewBuild } from '../../packages/service/src/publishing/builds/build.ts'
import { BuildStore } from '../../packages/service/src/publishing/builds/store.ts'
import { NotifyStore } from '../../packages/service/src/publishing/providers/notify-store.ts'

type SampleBuild = Partial<NewBuild> & {
  readonly hoursAgo: number
  readonly message?: string
  readonly author?: string
  readonly state: 'finished' | 'failed' | 'skipped' | 'cancelled' | 'superseded'
  readonly reason?: string
  /** A page with a component that is not closed. */
  readonly brokenPage?: string
}

const LONG_BRANCH =
  'dependabot/npm_and_yarn/examples/typescript_eslint_parser_and_all_of_its_plugins_9_14_1'

/** From the oldest to the newest. A superseded build is followed by a newer one of its branch. */
const BUILDS: readonly SampleBuild[] = [
  { hoursAgo: 44, ref: 'regions', message: 'List the regions', state: 'finished' },
  { hoursAgo: 43, message: 'Update the linter', state: 'skipped', reason: 'Nothing changed.' },
  {
    hoursAgo: 31,
    ref: 'pull/41',
    pullRequest: 41,
    isFork: true,
    message: 'Fix a typo in the quick start',
    author: 'Ines Duarte',
    state: 'finished',
  },
  {
    hoursAgo: 27,
    ref: 'signatures',
    pullRequest: 42,
    message: 'Explain webhook signatures and retries',
    state: 'failed',
    brokenPage: 'webhooks/signatures.mdx',
  },
  { hoursAgo: 26.1, ref: 'signatures', pullRequest: 42, state: 'superseded' },
  {
    hoursAgo: 26,
    ref: 'signatures',
    pullRequest: 42,
    message: 'Explain webhook signatures and retries',
    state: 'finished',
  },
  {
    hoursAgo: 21,
    ref: LONG_BRANCH,
    pullRequest: 43,
    message: 'Bump the linter of the examples',
    author: 'dependabot[bot]',
    state: 'finished',
  },
  { hoursAgo: 8, ref: 'rate-limits', state: 'cancelled', reason: 'Canceled by Mira Lindqvist.' },
  { hoursAgo: 6, ref: 'regions', trigger: 'api', message: 'List the regions', state: 'finished' },
  {
    hoursAgo: 5,
    trigger: 'check',
    message: 'Move the guides under Sending',
    author: 'Tomás Ferreira',
    state: 'failed',
    reason: 'The repository took longer than 5 minutes to fetch.',
  },
  { hoursAgo: 2, trigger: 'retry', state: 'superseded' },
  {
    hoursAgo: 1.9,
    message: 'Move the guides under Sending, and redirect the old addresses',
    author: 'Tomás Ferreira',
    state: 'failed',
    brokenPage: 'sending/bounces.mdx',
  },
]

const PRODUCTION = 'main'
const AUTHOR = 'Mira Lindqvist'
/** The shortest and the longest time that a sample build takes. */
const SECONDS = [11, 34] as const

export async function addSampleBuilds(ownerUrl: string, project: ProjectRow): Promise<void> {
  const owner = openDatabase({ url: ownerUrl, connections: 1 })
  try {
    const database = owner.forProject(tenantOf(project))
    const ids: string[] = []
    for (const sample of BUILDS) ids.push(await runSample(database, sample, ids.length))
    for (const [index, { hoursAgo, state }] of BUILDS.entries()) {
      const id = ids[index] ?? ''
      const seconds = SECONDS[0] + ((index * 7) % (SECONDS[1] - SECONDS[0]))
      await backdate(database, id, { hoursAgo, seconds })
      // Otherwise, the worker would try for a day to report the state to a Git host.
      await new NotifyStore(database).markReported({ id, state, reportedState: null }, null)
    }
  } finally {
    await owner.end()
  }
}

/** Runs a build as the worker does. Returns its id. */
async function runSample(
  database: ProjectDatabase,
  sample: SampleBuild,
  index: number,
): Promise<string> {
  const { ref = PRODUCTION, message = '', author = AUTHOR, state, reason } = sample
  const builds = new BuildStore(database, async () => {})
  const { id } = await database.transaction((query) =>
    builds.accept(query, {
      target: ref === PRODUCTION ? 'production' : 'preview',
      ref,
      commit: (index + 10).toString(16).padEnd(40, '9d2e7f40b5'),
      pullRequest: sample.pullRequest,
      isFork: sample.isFork ?? false,
      trigger: sample.trigger ?? 'webhook',
    }),
  )
  // The next build of the branch supersedes this one, which is not taken until then.
  if (state === 'superseded') return id
  if (state === 'cancelled') {
    await builds.cancel(database.query, id, reason ?? '')
    return id
  }
  const build = await builds.take()
  if (build === undefined) throw new Error('a sample build was not taken')
  await builds.recordCommit(build, message, author)
  if (state !== 'skipped') await builds.advance(build, 'building')
  if (sample.brokenPage !== undefined) await recordError(builds, build, sample.brokenPage)
  const end = sample.brokenPage === undefined ? reason : '1 problem stops the deployment.'
  await builds.appendLog(id, [end ?? 'The deployment is ready.'])
  await database.transaction((query) => builds.end(query, build, { state, reason: end }))
  return id
}

type TakenBuild = NonNullable<Awaited<ReturnType<BuildStore['take']>>>

async function recordError(builds: BuildStore, build: TakenBuild, file: string): Promise<void> {
  const text = {
    message: 'The component <Steps> is never closed.',
    hint: 'Add </Steps> after its last step.',
  }
  const error = diagnose('content/syntax', { file, line: 42, column: 1 }, text)
  const diagnostics = JSON.stringify([error])
  await builds.recordFindings(build, { errors: 1, warnings: 0, diagnostics, unread: undefined })
}

async function backdate(
  database: ProjectDatabase,
  id: string,
  { hoursAgo, seconds }: { readonly hoursAgo: number; readonly seconds: number },
): Promise<void> {
  await database.query(
    `update build set created_at = now() - $2::float8 * interval '1 hour',
            started_at = case when started_at is not null
                              then now() - $2::float8 * interval '1 hour' + interval '1 second' end,
            finished_at = now() - $2::float8 * interval '1 hour' + $3 * interval '1 second'
      where project_id = current_project() and id = $1`,
    [id, hoursAgo, seconds],
  )
}
