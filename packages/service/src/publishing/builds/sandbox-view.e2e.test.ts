/**
 * Runs hostile programs in place of the builder: the sandbox must hold even if one of the builder's
 * parsers is compromised.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { detectIsolation } from '../../platform/sandbox/isolation.ts'
import { runBuildProcess } from './run-build-process.ts'
import { openWorkFolder, type ProjectFolders, type WorkFolder } from './work-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'octavo-view-'))
const isolation = await detectIsolation()
const server = createServer((socket) => socket.end('canary'))
await new Promise<void>((resolve) => server.listen(join(root, 'database.sock'), resolve))
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true, force: true })
})

const runProgram = (work: WorkFolder, own: ProjectFolders, program: string) =>
  runBuildProcess({
    isolation,
    program,
    order: {
      folder: own.source,
      output: own.output,
      cacheFolder: own.cache,
      version: 'test',
      siteUrl: undefined,
      failOn: undefined,
      changedAt: [],
      repository: { remote: '', prefix: '', branch: 'main' },
      workersMax: 1,
      nowMs: 0,
    },
    temporaryFolder: own.temporary,
    codeFolder: work.code,
    allowPrivateHosts: [],
    onProgress: () => {},
    signal: new AbortController().signal,
  })

test.runIf(isolation.kind === 'bubblewrap')(
  'a build process that requests 5,000 forbidden URLs gets a refusal for each',
  async () => {
    const work = openWorkFolder(join(root, 'many'), 'test')
    const own = work.open('1', Date.now())
    mkdirSync(own.source, { recursive: true })
    mkdirSync(work.code, { recursive: true })
    const program = join(own.source, 'ask.mjs')
    writeFileSync(
      program,
      `import { createInterface } from 'node:readline'
       const reasons = {}
       let answers = 0
       const lines = createInterface({ input: process.stdin })
       lines.on('line', (text) => {
         const line = JSON.parse(text)
         if (line.kind !== 'answer') return
         answers += 1
         reasons[line.outcome.reason] = (reasons[line.outcome.reason] ?? 0) + 1
         if (answers < 5000) return
         const counts = { error: 0, warning: 0, note: 0 }
         process.stdout.write(JSON.stringify({ kind: 'built', hasSite: true, pageCount: 0, compiledCount: 0, counts, stoppingCount: 0, knownCount: 0, diagnostics: [], unread: [JSON.stringify(reasons)] }) + '\\n', () => process.exit(0))
       })
       for (let id = 1; id <= 5000; id += 1)
         process.stdout.write(JSON.stringify({ kind: 'fetch', id, url: 'http://127.0.0.1:9/' + id, headers: {} }) + '\\n')`,
    )
    const outcome = await runProgram(work, own, program)
    expect(outcome).toMatchObject({
      kind: 'built',
      unread: [JSON.stringify({ address: 400, 'too-large': 4_600 })],
    })
  },
)

test.runIf(isolation.kind === 'bubblewrap')(
  "a build process cannot access other projects' caches or the service's sockets, environment and files",
  async () => {
    const work = openWorkFolder(join(root, 'work'), 'test')
    const own = work.open('1', Date.now())
    const other = work.open('2', Date.now())
    writeFileSync(join(other.cache, 'pages'), 'canary')
    mkdirSync(own.source, { recursive: true })
    mkdirSync(work.code, { recursive: true })
    const program = join(own.source, 'probe.mjs')
    const tries = [
      `fs.readFileSync(${JSON.stringify(join(other.cache, 'pages'))})`,
      `fs.readdirSync(${JSON.stringify(join(root, 'work/projects'))}).length === 1 || done('sees projects')`,
      `fs.readFileSync('/proc/${process.pid}/environ')`,
      `fs.writeFileSync(${JSON.stringify(join(work.code, 'poison'))}, '')`,
      `fs.writeFileSync(${JSON.stringify(join(own.source, 'poison'))}, '')`,
      `fs.readdirSync('/root').length === 0 || done('sees home')`,
    ]
    writeFileSync(
      program,
      `import fs from 'node:fs'
       import net from 'node:net'
       const found = []
       const done = (what) => found.push(what)
       ${tries.map((attempt, index) => `try { ${attempt}; if (${index !== 1 && index !== 5}) done(${index}) } catch {}`).join('\n')}
       for (const name of Object.keys(process.env)) if (!['PATH', 'PWD', 'TMPDIR', 'NODE_COMPILE_CACHE', '_', 'SHLVL', 'OLDPWD'].includes(name)) done('environment ' + name)
       const connect = (where) => new Promise((resolve) => net.connect(where).on('connect', () => { done('connected'); resolve() }).on('error', resolve))
       await connect(${JSON.stringify(join(root, 'database.sock'))})
       await connect({ host: '169.254.169.254', port: 80 })
       await connect({ host: '1.1.1.1', port: 53 })
       const counts = { error: 0, warning: 0, note: 0 }
       process.stdout.write(JSON.stringify({ kind: 'built', hasSite: true, pageCount: 0, compiledCount: 0, counts, stoppingCount: 0, knownCount: 0, diagnostics: [], unread: found.map(String) }) + '\\n', () => process.exit(0))`,
    )
    const outcome = await runProgram(work, own, program)
    expect(outcome).toMatchObject({ kind: 'built', unread: [] })
  },
)
