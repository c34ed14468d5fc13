/** Starts a service that builds repositories from a local Git server, for tests of builds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build } from '@octavo/contract'
import type { Settings } from '../src/app/settings/env.ts'
import { openFolderStore } from '../src/platform/blobs/folder-store.ts'
import { openGit } from '../src/platform/git/open-git.ts'
import type { BuildTrigger, NewBuild } from '../src/publishing/builds/build.ts'
import type { BuildPorts } from '../src/publishing/builds/start-builds.ts'
import { startGitServer } from './git-server.ts'
import { visit } from './test-deployment.ts'
import { startTestService, type TestProject, type TestService } from './test-service.ts'
import { createWorkingRepository, type WorkingRepository } from './working-repository.ts'

export type BuildProject = TestProject & {
  readonly slug: string
  readonly repository: WorkingRepository
  readonly cloneUrl: string
  /** Requests a build as if the commit had been pushed. Returns the id of the build. */
  readonly push: (commit: string, fields?: Partial<NewBuild>) => Promise<string>
  /** Commits, pushes and waits until the build ends. */
  readonly build: (
    files: Readonly<Record<string, string | undefined>>,
    fields?: Partial<NewBuild> & { readonly message?: string; readonly trigger?: BuildTrigger },
  ) => Promise<Build>
  readonly get: (path: string) => Promise<Response>
  readonly post: (path: string) => Promise<Response>
  readonly ended: (id: string, timeoutMs?: number) => Promise<Build>
  readonly log: (id: string) => Promise<readonly string[]>
  /** Returns a page of the site as a reader receives it. */
  readonly read: (path: string) => Promise<{ readonly status: number; readonly text: string }>
}

export type BuildBench = {
  readonly service: TestService
  readonly root: string
  readonly changes: readonly string[]
  readonly createProject: (folder?: string) => Promise<BuildProject>
  readonly stop: () => Promise<void>
}

export const DOCS_JSON = JSON.stringify({
  name: 'Site',
  navigation: { pages: ['index', 'second'] },
})
export const PAGE = (text: string) => `---\ntitle: Page\n---\n\n${text}\n`
export const SITE = {
  'docs.json': DOCS_JSON,
  'index.mdx': PAGE('First text.'),
  'second.mdx': PAGE('Second text.'),
} as const

export async function startBuildBench(
  options: Pick<Partial<BuildPorts>, 'isolation' | 'limits'> &
    Partial<Settings> & { readonly withoutWorker?: boolean } = {},
): Promise<BuildBench> {
  const root = mkdtempSync(join(tmpdir(), 'octavo-builds-'))
  const changes: string[] = []
  const { isolation, limits, withoutWorker, ...settings } = options
  const server = await startGitServer(join(root, 'repositories'))
  // Git may connect to this machine, but a build may not fetch other content from it.
  const git = await openGit({ folder: join(root, 'clones'), allowPrivateHosts: ['127.0.0.1'] })
  const service = await startTestService({
    url: 'http://127.0.0.1',
    sitesDomain: 'sites.test',
    previewsDomain: 'previews.test',
    blobStore: await openFolderStore(join(root, 'blobs')),
    builds: {
      git,
      ...(isolation && { isolation }),
      ...(limits && { limits }),
      onBuildChanged: async (query, _, id) => {
        const [row] = await query<{ state: string }>(
          'select state from build where project_id = current_project() and id = $1',
          [id],
        )
        changes.push(`${id} ${row?.state}`)
      },
    },
    ...settings,
  })
  if (withoutWorker !== true) await service.service.startWorker()

  async function createProject(folder = ''): Promise<BuildProject> {
    const project = await service.createProject(['deploy:read', 'deploy:write'])
    const repository = createWorkingRepository(join(root, 'repositories', project.id))
    const cloneUrl = `${server.url}/${project.id}/.git`
    // Scheduled checks of the connection are disabled, so that only the test starts builds.
    await service.owner.query(
      `insert into connection (project_id, provider, url, branch, folder, credential, webhook_id, next_check_at)
       values ($1, 'github', $2, 'main', $3, 'none', $4, 'infinity')`,
      [project.id, cloneUrl, folder, `hook-${project.id}`],
    )
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    const slug = row?.slug ?? ''
    const base = `${service.url}/v1/projects/${project.publicId}`
    const call = (method: string, path: string) =>
      fetch(base + path, { method, headers: { authorization: `Bearer ${project.token}` } })
    const push = (commit: string, fields: Partial<NewBuild> = {}) =>
      service.service.acceptBuild(project.tenant, {
        target: 'production',
        ref: 'main',
        commit,
        pullRequest: undefined,
        isFork: false,
        trigger: 'webhook',
        ...fields,
      })
    async function ended(id: string, timeoutMs = 240_000): Promise<Build> {
      const end = Date.now() + timeoutMs
      for (;;) {
        const reply = await call('GET', `/builds/${id}?wait=5`)
        if (!reply.ok) throw new Error(await reply.text())
        const build = (await reply.json()) as Build
        if (build.finishedAt !== undefined) return build
        if (Date.now() > end) throw new Error(`build ${id} is still ${build.state}`)
      }
    }
    return {
      ...project,
      slug,
      repository,
      cloneUrl,
      push,
      ended,
      get: (path) => call('GET', path),
      post: (path) => call('POST', path),
      async build(files, { message, ...fields } = {}) {
        const branch = fields.ref ?? 'main'
        const commit = repository.commit(files, { branch, ...(message && { message }) })
        if (fields.isFork === true) repository.name(`refs/pull/${fields.pullRequest}/head`, commit)
        return ended(await push(commit, fields))
      },
      async log(id) {
        const text = await (await call('GET', `/builds/${id}/log`)).text()
        return text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).text)
      },
      async read(path) {
        const { status, bytes } = await visit(service.port, `${slug}.sites.test`, path)
        return { status, text: bytes.toString('utf8') }
      },
    }
  }

  return {
    service,
    root,
    changes,
    createProject,
    stop: async () => {
      await service.stop()
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
