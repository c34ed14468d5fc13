import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SITE, startBuildBench } from '../../../testing/build-bench.ts'
import { serviceUrlOf } from '../../../testing/test-database.ts'

const WORKER = join(import.meta.dirname, '../../../testing/build-until-killed.ts')
/** States in which the worker is killed, each with a delay in milliseconds. */
const MOMENTS = [
  'fetching 0',
  'fetching 100',
  'building 0',
  'building 500',
  'uploading 0',
  'uploading 200',
  'finished 0',
]

const bench = await startBuildBench({ withoutWorker: true })
let killed = 0
let isOver = false
let worker: ChildProcess | undefined
function start(): void {
  worker = spawn(
    process.execPath,
    ['--no-warnings', WORKER, serviceUrlOf(bench.service.databaseUrl), bench.root],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  worker.once('exit', (_, signal) => {
    if (signal === 'SIGKILL') killed += 1
    if (!isOver) start()
  })
}
afterAll(async () => {
  isOver = true
  worker?.kill('SIGKILL')
  await bench.stop()
})

test('a build creates one deployment even if its worker is killed in any state', async () => {
  const projects = await Promise.all(MOMENTS.map(() => bench.createProject()))
  for (const [index, project] of projects.entries())
    writeFileSync(join(bench.root, `kill-${project.id}`), MOMENTS[index] ?? '')
  const ids: string[] = []
  for (const project of projects) ids.push(await project.push(project.repository.commit(SITE)))
  start()
  const builds = await Promise.all(
    projects.map((project, index) => project.ended(ids[index] ?? '', 500_000)),
  )
  expect(builds.map(({ state }) => state)).toEqual(MOMENTS.map(() => 'finished'))
  // A worker runs two builds, so killing it for one interrupts the other too.
  expect(killed).toBeGreaterThanOrEqual(MOMENTS.length / 2)
  const rows = await bench.service.owner.query(
    `select count(*)::integer as all, count(distinct d.project_id)::integer as projects,
            bool_and(d.number = b.number) as same_number, bool_and(p.deployment_id = d.id) as live
       from deployment d join build b on b.project_id = d.project_id and b.deployment_id = d.id
       join publication p on p.project_id = d.project_id`,
  )
  const count = MOMENTS.length
  expect(rows).toEqual([{ all: count, projects: count, same_number: true, live: true }])
}, 600_000)
