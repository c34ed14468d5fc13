/**
 * Moves projects between two cells under load, and checks that no reader sees an error.
 * There are two cells (each with PostgreSQL, a store, an API process and two hosts) behind HAProxy
 * with the repository's recipe, and readers of all sites and writers of conversations the whole
 * time. Each project is moved with the documented commands. Then every row of every table and every
 * blob is compared, so that nothing is lost.
 *
 *   npm run lab drill/move-projects -- [--projects 100] [--readers 4] [--writers 4] [--conversations 20]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from '../../packages/service/src/app/commands/run-command.ts'
import { readSettings, type Settings } from '../../packages/service/src/app/settings/env.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { clientOf, siteOf } from '../../packages/service/testing/test-deployment.ts'
import { type CellPorts, type Edge, startEdge } from '../parts/start-edge.ts'
import { compareCells } from './move/compare-cells.ts'
import { startEdgeReaders } from './move/edge-readers.ts'
import { startEdgeWriters } from './move/edge-writers.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '100' },
    readers: { type: 'string', default: '4' },
    writers: { type: 'string', default: '4' },
    conversations: { type: 'string', default: '20' },
  },
})
const PAGES = 20
const PAUSE_MS = 20
const SAMPLE_KEY = Buffer.alloc(32, 3).toString('base64')

type Cell = { readonly hosting: Hosting; readonly settings: Settings; readonly ports: CellPorts }

const folder = mkdtempSync(join(tmpdir(), 'octavo-move-'))
const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  process.exitCode = (await bench()) ? 0 : 1
} finally {
  for (const end of ends.toReversed()) await end()
}

async function startCell(): Promise<Cell> {
  const hosting = await startHosting({ environment: { OCTAVO_SECRET_KEYS: `k:${SAMPLE_KEY}` } })
  ends.push(hosting.stop)
  const api = await hosting.start('api')
  const direct = { DATABASE_DIRECT_URL: hosting.environment.DATABASE_URL ?? '' }
  const hosts = [await hosting.start('host', direct), await hosting.start('host', direct)]
  const read = readSettings(hosting.environment)
  if (read.kind === 'wrong') throw new Error(read.reasons.join('\n'))
  const ports = { api: [api.port], sites: hosts.map(({ port }) => port) }
  return { hosting, settings: read.settings, ports }
}

async function command({ settings }: Cell, ...args: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = []
  await runCommand(args, { settings, print: (line) => lines.push(line), now: Date.now })
  return lines
}

function textOf(slug: string): string {
  return `words of ${slug}`
}

async function fillCell(cell: Cell): Promise<readonly HostedProject[]> {
  const projects: HostedProject[] = []
  for (let number = 0; number < Number(values.projects); number += 1) {
    const slug = `docs-${number}`
    const [made = ''] = await command(
      cell,
      'init',
      '--organization',
      slug,
      '--project',
      slug,
      '--json',
    )
    const { projectId, adminKey } = JSON.parse(made)
    const pages = Array.from({ length: PAGES }, (_, page) => [
      `page-${page}/index.html`,
      `<p>${textOf(slug)}, page ${page}</p>`,
    ])
    const site = siteOf({ 'index.html': textOf(slug), ...Object.fromEntries(pages) })
    const client = clientOf(cell.hosting.url, { publicId: projectId, token: adminKey })
    await client.deploy(site)
    await addConversations(cell, { projectId, adminKey })
    projects.push({ slug, projectId, adminKey, host: `${slug}.sites.localhost` })
  }
  return projects
}

async function addConversations(
  { hosting }: Cell,
  { projectId, adminKey }: Pick<HostedProject, 'projectId' | 'adminKey'>,
): Promise<void> {
  const conversations = Array.from({ length: Number(values.conversations) }, (_, index) => ({
    questionId: `first-${index}`,
    query: `first-${index}`,
    response: 'An answer.',
    sources: [],
    resolutionStatus: 'answered',
  }))
  const reply = await fetch(`${hosting.url}/v1/analytics/${projectId}/assistant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ conversations }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

type Move = { readonly from: Cell; readonly to: Cell; readonly edge: Edge }

/** Moves a project as docs/operate/cells.mdx describes. */
async function moveProject({ from, to, edge }: Move, { projectId }: HostedProject): Promise<void> {
  const path = join(folder, projectId)
  mkdirSync(path)
  await command(from, 'project', 'export', projectId, path)
  await command(to, 'project', 'import', path, '--blobs')
  await command(from, 'project', 'move', projectId, 'begin')
  await command(from, 'project', 'export', projectId, path)
  await command(to, 'project', 'import', path)
  await edge.setCell(await command(from, 'project', 'routes', projectId), 'cell2')
}

async function bench(): Promise<boolean> {
  const from = await startCell()
  const to = await startCell()
  const edge = await startEdge(folder, [from.ports, to.ports])
  ends.push(edge.stop)
  const projects = await fillCell(from)
  console.log(
    `${projects.length} projects of ${PAGES + 1} pages and ${values.conversations} conversations`,
  )

  const sites = projects.map(({ host, slug }) => ({ host, text: textOf(slug) }))
  const readers = startEdgeReaders({
    port: edge.port,
    sites,
    count: Number(values.readers),
    pauseMs: PAUSE_MS,
  })
  const writers = startEdgeWriters({
    port: edge.port,
    projects,
    count: Number(values.writers),
    pauseMs: PAUSE_MS,
  })
  const times: number[] = []
  for (const project of projects) {
    const began = performance.now()
    await moveProject({ from, to, edge }, project)
    times.push(performance.now() - began)
    // The probe waits until the new cell accepts writes.
    await writers.probe(project, 'after-the-move')
  }
  const written = await writers.stop()
  const read = await readers.stop()
  const compared = await compareCells(from.hosting, to.hosting, {
    projects,
    accepted: written.accepted,
  })
  for (const { projectId } of projects) await command(from, 'project', 'move', projectId, 'end')

  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
  const sorted = times.toSorted((one, other) => one - other)
  const longest = Math.max(0, ...written.refusedMs.values())
  const turns = [...written.accepted.values()].reduce((sum, names) => sum + names.length, 0)
  console.log(`readers: ${read.reads} pages, ${read.failed} errors`)
  console.log(
    `writers: ${turns} turns accepted, ${written.refusals} times 503, ${written.withoutHint} of them without Retry-After, ${written.errors.length} other errors`,
  )
  console.log(`longest time of refused writes of a project: ${seconds(longest)}`)
  console.log(
    `a project moves in ${seconds(sorted[Math.floor(sorted.length / 2)] ?? 0)} (median), ${seconds(sorted.at(-1) ?? 0)} (longest)`,
  )
  console.log(
    `compared: ${compared.rows} rows, ${compared.blobs} blobs; lost ${compared.lostRows} rows, ${compared.lostBlobs} blobs, ${compared.lostTurns} turns; twice ${compared.doubledTurns} turns`,
  )
  for (const line of [...read.errors, ...written.errors, ...compared.findings]) console.log(line)
  return [
    read.failed,
    written.errors.length,
    written.withoutHint,
    compared.findings.length,
    compared.lostTurns,
    compared.doubledTurns,
  ].every((count) => count === 0)
}
