import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Build } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type BuildProject,
  DOCS_JSON,
  PAGE,
  SITE,
  startBuildBench,
} from '../../../testing/build-bench.ts'

const CLI = join(import.meta.dirname, '../../../../cli/src/main.ts')
const bench = await startBuildBench()
afterAll(() => bench.stop())

const inDocs = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`docs/${path}`, text]))

/** Waits, since hosts serve a new deployment only after up to two seconds. */
const page = (project: BuildProject, path = '/') =>
  expect.poll(async () => (await project.read(path)).text, { timeout: 10_000 })

describe('builds of pushes', () => {
  test('a push publishes exactly the files that `octavo build` creates in a clone', async () => {
    const project = await bench.createProject('docs')
    const config = {
      ...JSON.parse(DOCS_JSON),
      metadata: { timestamp: true },
      feedback: { edit: true },
    }
    await project.build(inDocs(SITE))
    const build = await project.build(
      {
        'docs/docs.json': JSON.stringify(config),
        'docs/index.mdx': PAGE('First text.\n\n![Picture](/images/a.svg)'),
        'docs/images/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      },
      { message: 'Show dates' },
    )
    expect(build).toMatchObject({ state: 'finished', message: 'Show dates', author: 'Author' })
    const work = mkdtempSync(join(tmpdir(), 'octavo-same-'))
    try {
      const clone = join(work, 'clone')
      await promisify(execFile)('git', ['clone', '--quiet', project.cloneUrl, clone])
      const url = `http://${project.slug}.sites.test`
      const args = [CLI, 'build', 'docs', '-o', join(work, 'out'), '--url', url]
      execFileSync(process.execPath, args, { cwd: clone })
      const local = readFileSync(join(work, 'out/_octavo/manifest.json'))
      const { body } = await fetchRoot(project, build)
      expect(body).toBe(local.toString('utf8'))
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
    await page(project).toContain('images/a.svg')
  })

  test('an edit compiles only changed pages', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    const build = await project.build({ 'index.mdx': PAGE('Edited text.') })
    const log = await project.log(build.id)
    expect(log.join('\n')).toContain('1 page compiled, 1 unchanged')
    await page(project).toContain('Edited text.')
  })

  test('a failed build leaves the live site unchanged, and its diagnostics can be read', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    await page(project).toContain('First text.')
    const build = await project.build({ 'index.mdx': PAGE('<Nothing>Broken</Nothing>') })
    expect(build).toMatchObject({
      state: 'failed',
      reason: '1 problem stops the deployment.',
      errors: 1,
    })
    expect(build.deployment).toBeUndefined()
    const reply = await project.get(`/builds/${build.id}/diagnostics`)
    expect(await reply.json()).toMatchObject({
      counts: { error: 1 },
      diagnostics: [
        { code: 'content/unknown-component', place: { file: 'index.mdx', line: 5 } },
        { code: 'nav/same-title', severity: 'note' },
      ],
    })
    expect((await project.read('/')).text).toContain('First text.')
    const broken = await project.build({ 'docs.json': '{' })
    expect(broken).toMatchObject({ state: 'failed' })
    expect((await project.read('/')).text).toContain('First text.')
  })

  test('a build of a missing folder fails and names the folder', async () => {
    const project = await bench.createProject('elsewhere')
    const build = await project.build(SITE)
    expect(build).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('"elsewhere"'),
    })
  })

  test('a push to a branch is published as a preview and leaves the live site unchanged', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    const build = await project.build(
      { 'index.mdx': PAGE('On a branch.') },
      { target: 'preview', ref: 'next' },
    )
    expect(build).toMatchObject({ state: 'finished', target: 'preview', ref: 'next' })
    const previews = await (await project.get('/previews')).json()
    expect(previews).toMatchObject({ previews: [{ branch: 'next', deployment: build.deployment }] })
    expect((await project.read('/')).text).toContain('First text.')
  })

  test('a build of a fork reads the compile cache but does not write to it', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    const cache = join(bench.service.settings.workFolder, 'projects', project.id, 'cache')
    const before = filesOf(cache)
    const build = await project.build(
      { 'index.mdx': PAGE('Of a stranger.') },
      { target: 'preview', ref: 'pull-7', isFork: true, pullRequest: 7 },
    )
    expect(build).toMatchObject({ state: 'finished', fork: true, pullRequest: 7 })
    expect((await project.log(build.id)).join('\n')).toContain('1 page compiled, 1 unchanged')
    expect(filesOf(cache)).toEqual(before)
  })
})

describe('pushes that need no build', () => {
  test('a push is skipped if no file that the site reads has changed', async () => {
    const project = await bench.createProject('docs')
    await project.build({ ...inDocs(SITE), 'docs/.github/notes.md': 'a', 'README.md': 'a' })
    const outside = await project.build({ 'README.md': 'b', 'docs-old/index.mdx': 'x' })
    expect(outside).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^No change under docs\/ since [\da-f]{7}\.$/),
    })
    const unread = await project.build({ 'docs/.github/notes.md': 'b' })
    expect(unread.state).toBe('skipped')
    const branch = await project.build({ 'README.md': 'c' }, { ref: 'new', target: 'preview' })
    expect(branch.state).toBe('skipped')
    // A new file and a change to a file that the site reads are both built.
    expect((await project.build({ 'docs/new.svg': '<svg/>' })).state).toBe('finished')
    expect((await project.build({ 'docs/second.mdx': PAGE('Other.') })).state).toBe('finished')
  })

  test('a push with a skip mark in its commit message is skipped, but can be built on request', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    const build = await project.build(
      { 'index.mdx': PAGE('Not yet.') },
      { message: 'Draft [skip docs]' },
    )
    expect(build).toMatchObject({
      state: 'skipped',
      reason: 'The commit message contains [skip docs].',
    })
    const reply = await project.post(`/builds/${build.id}/retry`)
    expect(reply.status).toBe(202)
    const retried = await project.ended(((await reply.json()) as Build).id)
    expect(retried).toMatchObject({ state: 'finished', trigger: 'retry', commit: build.commit })
    await page(project).toContain('Not yet.')
  })

  test('a requested build without changes creates no deployment', async () => {
    const project = await bench.createProject()
    const first = await project.build(SITE)
    const again = await project.build({}, { trigger: 'api' })
    expect(again).toMatchObject({
      state: 'finished',
      reason: 'Nothing changed: the live site has the same files.',
    })
    const { deployments } = (await (await project.get('/deployments')).json()) as {
      deployments: { id: string; number: number }[]
    }
    // A deployment has the same number as its build.
    expect(deployments).toMatchObject([{ id: first.deployment, number: first.number }])
  })
})

describe('several pushes', () => {
  test('the newest commit of a branch is published, and older builds are superseded', async () => {
    const project = await bench.createProject()
    const commits = [1, 2, 3, 4].map((number) =>
      project.repository.commit({ ...SITE, 'index.mdx': PAGE(`Text ${number}.`) }),
    )
    const ids: string[] = []
    for (const commit of commits) ids.push(await project.push(commit))
    const builds = await Promise.all(ids.map((id) => project.ended(id)))
    expect(builds.map(({ state }) => state)).toEqual([
      'superseded',
      'superseded',
      'superseded',
      'finished',
    ])
    expect(builds[0]?.reason).toMatch(/^Superseded by build \d of [\da-f]{7}\.$/)
    await page(project).toContain('Text 4.')
  })

  test('a running build is stopped only by a newer build of the same branch', async () => {
    const project = await bench.createProject()
    await project.build(SITE)
    const first = await project.push(project.repository.commit({ 'index.mdx': PAGE('One.') }))
    await expect.poll(() => bench.changes).toContain(`${first} building`)
    const commit = project.repository.commit({ 'index.mdx': PAGE('Branch.') }, { branch: 'side' })
    const side = await project.push(commit, { ref: 'side', target: 'preview' })
    const second = await project.push(project.repository.commit({ 'index.mdx': PAGE('Two.') }))
    expect(await project.ended(first)).toMatchObject({ state: 'superseded' })
    expect(await project.ended(second)).toMatchObject({ state: 'finished' })
    expect(await project.ended(side)).toMatchObject({ state: 'finished' })
    await page(project).toContain('Two.')
  })

  test('a commit that both a webhook and a check report is built once', async () => {
    const project = await bench.createProject()
    const commit = project.repository.commit(SITE)
    const [a, b] = [await project.push(commit), await project.push(commit, { trigger: 'check' })]
    expect(a).toBe(b)
    expect(await project.ended(a)).toMatchObject({ state: 'finished' })
  })
})

describe('canceled builds', () => {
  test('a running build stops within seconds, and can be canceled and retried only once', async () => {
    const project = await bench.createProject()
    const id = await project.push(project.repository.commit(SITE))
    await expect.poll(() => bench.changes).toContain(`${id} building`)
    const began = Date.now()
    expect((await project.post(`/builds/${id}/cancel`)).status).toBe(200)
    const build = await project.ended(id)
    expect(build).toMatchObject({ state: 'cancelled', reason: 'Canceled by an API request.' })
    expect(Date.now() - began).toBeLessThan(6_000)
    expect((await project.post(`/builds/${id}/cancel`)).status).toBe(409)
    const retried = await project.post(`/builds/${id}/retry`)
    expect(retried.status).toBe(202)
    // Only the newest build of a branch can be retried.
    expect((await project.post(`/builds/${id}/retry`)).status).toBe(409)
    await project.ended(((await retried.json()) as Build).id)
  })
})

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
}

/** Reads the manifest root of a build's deployment from the store. */
async function fetchRoot(project: BuildProject, build: Build): Promise<{ body: string }> {
  const [row] = await bench.service.owner.query<{ root: Buffer }>(
    'select root from deployment where project_id = $1 and id = $2',
    [project.id, build.deployment],
  )
  const sha256 = row?.root.toString('hex') ?? ''
  const path = join(bench.root, 'blobs', sha256.slice(0, 2), sha256.slice(2))
  return { body: readFileSync(path, 'utf8') }
}
