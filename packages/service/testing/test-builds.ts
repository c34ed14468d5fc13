/** Adds rows of connections, Git refs and builds in the same way as the service. */
import { createHash } from 'node:crypto'
import { createKeyRing, type SecretKey } from '../src/platform/secrets/key-ring.ts'
import { createSecretStore } from '../src/platform/secrets/store.ts'
import { GIT_TOKEN_SECRET } from '../src/publishing/providers/connection.ts'
import type { TestProject, TestService } from './test-service.ts'

export type TestBuild = {
  readonly id?: string
  readonly target?: 'production' | 'preview'
  readonly ref?: string
  readonly commit?: string
  readonly state?: string
  readonly reported_state?: string
  readonly reason?: string
  readonly deployment_id?: string
  readonly error_count?: number
  readonly warning_count?: number
  readonly diagnostics?: readonly object[]
  readonly finished_at?: Date
  readonly created_at?: Date
}

type Connection = {
  readonly provider: 'github' | 'gitlab' | 'gitea' | 'git'
  readonly url: string
  readonly token?: string
  readonly installationId?: string
}

let count = 0

export const commitOf = (text: string) => createHash('sha1').update(text).digest('hex')

export function createTestBuilds(
  { owner, service }: TestService,
  project: TestProject,
  secretKeys: readonly SecretKey[],
) {
  return {
    async connect({ provider, url, token, installationId }: Connection): Promise<void> {
      const credential = installationId === undefined ? 'token' : 'github-app'
      await owner.query(
        `insert into connection (project_id, provider, url, credential, webhook_id, installation_id, folder)
         values ($1, $2, $3, $4, $5, $6, 'docs')`,
        [project.id, provider, url, credential, `hook-${project.publicId}`, installationId ?? null],
      )
      if (token === undefined) return
      const bound = service.database.forProject(project.tenant)
      await createSecretStore(bound, createKeyRing(secretKeys)).write(GIT_TOKEN_SECRET, token)
    },

    async addRef(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
      const columns = { project_id: project.id, name, commit_sha: commitOf(name), ...more }
      await insert('git_ref', columns)
    },

    async changeRef(name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
      const entries = Object.entries(change)
      await owner.query(
        `update git_ref set ${entries.map(([column], index) => `${column} = $${index + 3}`).join(', ')}
          where project_id = $1 and name = $2`,
        [project.id, name, ...entries.map(([, value]) => value)],
      )
    },

    /** Adds a preview of a branch, which is allowed to run scripts. */
    async approve(branch: string): Promise<void> {
      const id = `01PREV${String(project.id).padStart(20, '0')}`
      await insert('deployment', {
        project_id: project.id,
        id,
        number: 1_000,
        state: 'ready',
        target: 'preview',
        branch,
        root: Buffer.alloc(32),
        created_by: 'test',
      })
      await insert('preview', {
        project_id: project.id,
        name: `preview-${project.id}`,
        branch,
        deployment_id: id,
        runs_scripts: true,
        expires_at: new Date(Date.now() + 3_600_000),
      })
    },

    async add(build: TestBuild = {}): Promise<string> {
      count += 1
      const { commit = commitOf(`commit ${count}`), diagnostics = [], ...rest } = build
      const id = `01${String(count).padStart(24, '0')}`
      await insert('build', {
        project_id: project.id,
        id,
        number: count,
        target: 'production',
        ref: 'main',
        commit_sha: commit,
        trigger: 'webhook',
        state: 'queued',
        diagnostics: JSON.stringify(diagnostics),
        ...rest,
      })
      return build.id ?? id
    },

    async change(id: string, build: TestBuild): Promise<void> {
      const { diagnostics, ...rest } = build
      const change: Readonly<Record<string, unknown>> = {
        ...rest,
        ...(diagnostics !== undefined && { diagnostics: JSON.stringify(diagnostics) }),
      }
      const entries = Object.entries(change)
      await owner.query(
        `update build set ${entries.map(([column], index) => `${column} = $${index + 3}`).join(', ')}
          where project_id = $1 and id = $2`,
        [project.id, id, ...entries.map(([, value]) => value)],
      )
    },

    async read(id: string): Promise<Readonly<Record<string, unknown>>> {
      const [row] = await owner.query<Record<string, unknown>>(
        'select * from build where project_id = $1 and id = $2',
        [project.id, id],
      )
      return row ?? {}
    },
  }

  async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
    const columns = Object.keys(row)
    const places = columns.map((_, index) => `$${index + 1}`)
    await owner.query(
      `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    )
  }
}
