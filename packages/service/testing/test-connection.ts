/** Connects a project to a repository with an operator command. */
import { runCommand } from '../src/app/commands/run-command.ts'
import type { Git } from '../src/platform/git/git.ts'
import type { HookDelivery } from '../src/platform/http/caller.ts'
import type { Connection } from '../src/publishing/providers/connection.ts'
import type { TestProject, TestService } from './test-service.ts'

export type ConnectedProject = TestProject & {
  readonly hookUrl: string
  readonly secret: string
  readonly lines: readonly string[]
}

export const SECRET_KEYS = [{ id: 'k', bytes: Buffer.alloc(32, 7) }]

type ConnectionCommandOptions = {
  readonly git?: Pick<Git, 'listRefs'>
  readonly input?: string
}

export async function octavo(
  service: TestService,
  args: readonly string[],
  { git, input = '' }: ConnectionCommandOptions = {},
): Promise<string[]> {
  const lines: string[] = []
  await runCommand(args, {
    settings: service.settings,
    print: (line) => lines.push(line),
    now: Date.now,
    readInput: async () => input,
    git,
  })
  return lines
}

export async function connectProject(
  service: TestService,
  options: readonly string[],
  commandOptions: ConnectionCommandOptions = {},
): Promise<ConnectedProject> {
  const project = await service.createProject()
  const lines = await octavo(
    service,
    ['connection', 'add', project.publicId, ...options],
    commandOptions,
  )
  const path = /\/v1\/hooks\/[\w-]+/.exec(lines.join('\n'))?.[0] ?? ''
  return { ...project, lines, hookUrl: `${service.url}${path}`, secret: lines.at(-1) ?? '' }
}

/** Returns a connection in the form that the stores expect. */
export const connectionOf = (hookId: string): Connection => ({
  provider: 'git',
  url: 'https://git.example.com/o/n',
  credential: 'none',
  branch: null,
  folder: '',
  previews: true,
  forks: true,
  hookId,
  installationId: null,
  refreshMinutes: null,
})

export const GIT_REF = {
  name: 'main',
  commit: '1'.repeat(40),
  isProduction: true,
  pullRequest: null,
  pullUrl: null,
  isFork: false,
  isBuilt: false,
}

export const DELIVERY: HookDelivery = {
  deliveryId: 'delivery',
  event: 'push',
  ref: 'main',
  headers: {},
  body: '{}',
}
