/**
 * Continues an export with old cursors after a restore.
 * Conversations are written before, during and after a backup by the real command. The backup is
 * restored into another database, and clients continue with cursors from the lost service. The rows
 * after a cursor must be the same, byte by byte, up to the moment of the backup, followed by those
 * written after the restore. Rows that were lost with the service must not reappear, and a client
 * that had already read them must not miss a new row.
 *
 *   npm run lab drill/restored-cursor -- [--conversations 2000] [--cursors 60]
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { POSTGRES_PROGRAMS, runService } from '../../packages/service/testing/service-command.ts'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { openWriter } from './restore/background-writes.ts'
import { readExport } from './restore/read-state.ts'
import { newDatabase } from './restore/run-drill.ts'

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '2000' },
    cursors: { type: 'string', default: '60' },
  },
})
const CONVERSATIONS = Number(values.conversations)
const CURSORS = Number(values.cursors)
const WRITERS = 4
const NEW_CONVERSATIONS = 50
const LIMITS = [7, 100, 1_000]

if (!existsSync(`${POSTGRES_PROGRAMS}/pg_dump`)) {
  console.log('PostgreSQL 15 is missing: apt-get install postgresql-15.')
  process.exit(2)
}
const wrong: string[] = []
const hosting = await startHosting({
  binaries: POSTGRES_PROGRAMS,
  environment: { PATH: `${POSTGRES_PROGRAMS}:${process.env.PATH ?? ''}` },
})
try {
  await run(hosting)
} finally {
  await hosting.stop()
}
for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
process.exitCode = wrong.length === 0 ? 0 : 1

async function run(hosting: Hosting): Promise<void> {
  const project = hosting.createProject('plants')
  const service = await hosting.start('api')
  const writer = await openWriter(hosting)
  const writeMany = (count: number) =>
    Promise.all(Array.from({ length: WRITERS }, () => writer.write(project, count / WRITERS)))
  await writeMany(CONVERSATIONS)
  const before = await readExport(hosting.url, project)
  const erased = idOf(before[Math.floor(before.length / 3)] ?? '')
  await erase(hosting, `/v1/analytics/${project.projectId}/assistant/${erased}`, project.adminKey)

  let isOver = false
  const meanwhile = (async () => {
    while (!isOver) await writer.write(project, 1)
  })()
  const made = await runService(hosting.environment, 'backup', join(hosting.folder, 'backup'))
  isOver = true
  await meanwhile
  if (made.code !== 0) throw new Error(made.text)
  await writeMany(CONVERSATIONS / 10)
  await writer.end()
  const lines = await readExport(hosting.url, project)

  // The service is lost here.
  await service.kill()
  await hosting.postgres.stop()
  const postgres = await startPostgres({ binaries: POSTGRES_PROGRAMS })
  try {
    const environment = await newDatabase(hosting, postgres.url)
    const [backup = ''] = made.text.match(/^\/.+Z$/m) ?? []
    const restored = await runService(environment, 'restore', backup)
    if (restored.code !== 0) throw new Error(restored.text)
    const again = await hosting.start('api', environment)
    const rest = await readExport(hosting.url, project)
    const kept = rest.length
    if (kept < before.length - 1) wrong.push(`${before.length - 1} were there, ${kept} are`)
    if (kept >= lines.length) wrong.push('nothing was written after the backup')
    if (rest.some((line, place) => line !== lines[place]))
      wrong.push('the restored export is no prefix of the lost one')

    const later = await openWriter({
      environment,
      postgres: { url: environment.DATABASE_OWNER_URL },
    })
    const newIds = await later.write(project, NEW_CONVERSATIONS)
    await later.end()

    // The cursors are spread evenly over the lost export, and include its ends, both sides of the
    // backup, and an erased row.
    const places = [0, kept - 2, kept - 1, kept, lines.length - 1]
    for (let index = 1; places.length < CURSORS; index += 1)
      places.push(Math.floor((index * lines.length) / CURSORS))
    const cursors = [...places.map((place) => idOf(lines[place] ?? '')), erased]
    for (const [index, cursor] of cursors.entries()) {
      const limit = LIMITS[index % LIMITS.length] ?? 1
      const found = await readExport(hosting.url, project, { cursor, limit })
      const left = lines.slice(0, kept).filter((line) => idOf(line) > cursor)
      if (left.some((line, place) => line !== found[place]))
        wrong.push(`after ${cursor}: what was left is another sequence`)
      if (found.slice(left.length).map(idOf).join() !== newIds.join())
        wrong.push(`after ${cursor}: ${found.length - left.length} new rows of ${newIds.length}`)
    }
    await again.kill()
    console.log(
      `${cursors.length} cursors, ${kept} of ${lines.length} conversations restored, ${newIds.length} new, ${wrong.length} wrong`,
    )
  } finally {
    await postgres.stop()
  }
}

async function erase({ url }: Hosting, path: string, key: string): Promise<void> {
  const { status } = await fetch(url + path, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  })
  if (status >= 300) throw new Error(`erasing gave ${status}`)
}

function idOf(line: string): string {
  return (JSON.parse(line) as { id: string }).id
}
