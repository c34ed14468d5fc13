/**
 * Fills projects with builds that have not ended, and runs all operations on the builds of one
 * project; used by `two-tenants.ts`.
 */
import { diagnose } from '@octavo/model'
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import type { NewBuild } from '../src/publishing/builds/build.ts'
import { type BuildRow, BuildStore } from '../src/publishing/builds/store.ts'
import type { TestProject, TestService } from './test-service.ts'

type OpenBuilds = { readonly running: string; readonly queued: string }

const commitOf = (text: string) => text.padEnd(40, '0')

const PROBLEM = diagnose(
  'link/anchor',
  { file: 'own.mdx', line: 1, column: 1 },
  { message: 'own', hint: 'own' },
)
const FINDINGS = { errors: 1, warnings: 1, diagnostics: '[]', unread: undefined }

const newBuild = (ref: string, trigger: 'webhook' | 'api'): NewBuild => ({
  target: 'production',
  ref,
  commit: 'a'.repeat(40),
  pullRequest: undefined,
  isFork: false,
  trigger,
})

/** Returns the row of a build in its first attempt. */
const rowOf = (id: string) =>
  ({
    id,
    attempts: 1,
    ref: 'both',
    target: 'production',
    number: '100',
    commit_sha: 'x',
  }) as BuildRow

/** Adds a finished, a running and a queued build, with a connection, a branch and a build cache. */
export async function fillOpenBuilds(
  service: TestService,
  project: TestProject,
  { text, cache }: { readonly text: string; readonly cache: { sha256: string; size: number } },
): Promise<OpenBuilds> {
  const bound = service.service.database.forProject(project.tenant)
  const builds = new BuildStore(bound, async () => {})
  const accept = (ref: string) =>
    bound.transaction((query) => builds.accept(query, newBuild(ref, 'api')))
  const { id: finished } = await accept('both')
  await service.owner.query(
    `update build set state = 'finished', commit_sha = $2, unread_files = $3, attempts = 1 where id = $1`,
    [finished, commitOf(text), Buffer.from(text)],
  )
  const { id: running } = await accept('both')
  await builds.take()
  await builds.recordCommit(rowOf(running), text, text)
  await builds.appendLog(running, [text])
  const { id: queued } = await accept(text)
  await service.owner.query(
    'update build set diagnostics = to_jsonb(array[$2::text]) where id = $1',
    [running, text],
  )
  await builds.setCache(cache)
  await bound.query(
    `insert into connection (project_id, provider, url, branch, webhook_id) values (current_project(), 'git', $1, 'both', $2)
     on conflict (project_id) do update set branch = 'both'`,
    [`https://${text}.example`, `hook-of-${text}`.padEnd(20, '-')],
  )
  await bound.query(
    `insert into git_ref (project_id, name, commit_sha) values (current_project(), 'both', $1)
     on conflict do nothing`,
    [commitOf(text)],
  )
  return { running, queued }
}

type BuildsOfBoth = {
  readonly own: OpenBuilds
  readonly other: OpenBuilds
  /** The text of the other project's builds, which is also the name of a branch. */
  readonly otherText: string
  /** Inserts a deployment that belongs to a build. */
  readonly deploy: (key: string, build: string) => Promise<unknown>
}

export function buildOperations(
  database: ProjectDatabase,
  { own, other, otherText, deploy }: BuildsOfBoth,
): readonly (() => Promise<unknown>)[] {
  const builds = new BuildStore(database, async () => {})
  return [
    () => builds.connectedRef(undefined),
    () => builds.connectedRef('both'),
    () => builds.list({ before: undefined, ref: undefined, state: undefined, limit: 100 }),
    () => builds.find(other.running),
    () => builds.diagnostics(other.running),
    () => builds.log(other.running, 0, 100).then((lines) => lines.map(({ text }) => text)),
    () => builds.lastLines(other.running, 100),
    () => builds.log(own.running, 0, 100).then((lines) => lines.map(({ text }) => text)),
    () => builds.appendLog(own.running, ['own']),
    () => builds.lastLines(own.running, 100),
    () => builds.liveRoot(),
    () => builds.cache(),
    () => builds.setCache({ sha256: 'd'.repeat(64), size: 1 }),
    () => builds.isWanted(rowOf(other.running)),
    () => builds.hasNewer(rowOf(own.running)),
    () => builds.earlier(rowOf(own.running)),
    () => builds.earlier({ ...rowOf(own.running), ref: 'nowhere', target: 'preview' }),
    () => database.transaction((query) => builds.hasOpen(query)),
    () => database.transaction((query) => builds.stoppedState(query, rowOf(other.running))),
    () => database.transaction((query) => builds.stoppedState(query, rowOf(own.running))),
    () => builds.advance(rowOf(other.running), 'building'),
    () => builds.recordCommit(rowOf(other.running), 'own', 'own'),
    () => builds.recordFindings(rowOf(other.running), FINDINGS),
    () => builds.addError(rowOf(other.running), PROBLEM),
    () =>
      database.transaction((query) =>
        builds.findRequested(
          query,
          { target: 'production', ref: 'both', commit: commitOf(otherText) },
          new Date('2026-01-01'),
        ),
      ),
    () => builds.recordInterruption(rowOf(other.running), 'own'),
    () => database.transaction((query) => builds.putBack(query, rowOf(other.running))),
    () => database.transaction((query) => builds.reservePreviewName(query, other.running, 'own')),
    () => database.transaction((query) => builds.reservePreviewName(query, own.running, 'own')),
    () => database.transaction((query) => builds.cancelRefs(query, [otherText])),
    () => database.transaction((query) => builds.cancel(query, other.running, 'own')),
    () => database.transaction((query) => builds.cancel(query, other.queued, 'own')),
    () => deploy('b', other.running),
    () => deploy('c', own.running),
    () => deploy('d', own.running),
    () => builds.cancel(database.query, own.running, 'own'),
    () => database.transaction((query) => builds.accept(query, newBuild('both', 'webhook'))),
    () => database.transaction((query) => builds.accept(query, newBuild('both', 'api'))),
    () => builds.cancel(database.query, own.queued, 'own'),
    () =>
      database.transaction((query) => builds.end(query, rowOf(own.running), { state: 'failed' })),
    () => builds.take(),
    () => builds.connectedRef('both'),
  ]
}
