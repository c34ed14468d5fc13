/** Creates projects with a repository and a token each, connected by the operator's command. */
import { randomBytes } from 'node:crypto'
import { runCommand } from '../../../packages/service/src/app/commands/run-command.ts'
import { readSettings } from '../../../packages/service/src/app/settings/env.ts'
import type { Hosting } from '../../../packages/service/testing/start-hosting.ts'
import {
  createTrialRepository,
  type TrialRepository,
} from '../../../packages/service/testing/trial-repository.ts'

export type SoakRepository = {
  readonly name: string
  readonly token: string
  readonly repository: TrialRepository
}

export type SoakProject = SoakRepository & {
  readonly projectId: string
  /** The `Host` header of the site. */
  readonly host: string
  readonly hook: { readonly url: string; readonly secret: string }
}

/** The prefix of every secret of this run, so that one search finds all of them. */
const CANARY = `soakcanary${randomBytes(8).toString('hex')}`

export function createRepositories(root: string, count: number): readonly SoakRepository[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `project-${index}`
    const repository = createTrialRepository(root, `${name}.git`)
    repository.commit(siteOf({ number: 0 }))
    return { name, token: `${CANARY}${randomBytes(12).toString('hex')}`, repository }
  })
}

type ConnectOptions = { readonly hosting: Hosting; readonly gitUrl: string }

/**
 * Connects the first project with commands in separate processes, and the others with the same code
 * in this process, to save time.
 */
export async function connectProjects(
  repositories: readonly SoakRepository[],
  { hosting, gitUrl }: ConnectOptions,
): Promise<readonly SoakProject[]> {
  const read = readSettings(hosting.environment)
  if (read.kind === 'wrong') throw new Error(read.reasons.join('\n'))
  const { settings } = read
  const runHere = async (token: string, args: readonly string[]) => {
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await runCommand(args, { settings, print, now: Date.now, readInput: async () => token })
    return lines.join('\n')
  }
  const runProcess = async (token: string, args: readonly string[]) =>
    hosting.commandWith(token, ...args)
  const domain = hosting.environment.OCTAVO_SITES_DOMAIN
  const projects: SoakProject[] = []
  for (const [index, one] of repositories.entries()) {
    const { name, token } = one
    const run = index === 0 ? runProcess : runHere
    const made = await run('', ['init', '--organization', name, '--project', name, '--json'])
    const { projectId } = JSON.parse(made) as { projectId: string }
    const url = `${gitUrl}/${name}.git`
    const options = ['connection', 'add', projectId, '--url', url, '--folder', 'docs']
    const added = await run(token, [...options, '--provider', 'git', '--token-file', '-'])
    if (added.includes(token)) throw new Error('the command prints the token')
    const [hookUrl = ''] = /http:\/\/\S+\/v1\/hooks\/[\w-]+/.exec(added) ?? []
    const [secret = ''] = /whsec_\S+/.exec(added) ?? []
    projects.push({ ...one, projectId, host: `${name}.${domain}`, hook: { url: hookUrl, secret } })
  }
  return projects
}

export type SiteState = {
  readonly number: number
  readonly isBroken?: boolean
  readonly readme?: string
}

export function siteOf({ number, isBroken = false, readme = '' }: SiteState) {
  const more = isBroken ? '[Nowhere](/nowhere)' : 'A second paragraph.'
  return {
    'README.md': `# Not a page\n\n${readme}\n`,
    'docs/docs.json': JSON.stringify({
      name: 'Plants',
      navigation: { pages: ['index', 'guides/water'] },
    }),
    'docs/index.mdx': `---\ntitle: Welcome\n---\n\nThis is commit number ${number}.\n\n${more}\n`,
    'docs/guides/water.mdx': `---\ntitle: Water\n---\n\nA fern needs ${number} drops.\n`,
  }
}

/** Returns the number of the commit that a page was built from. */
export function numberOn(page: string): number | undefined {
  const [, digits] = /This is commit number (\d+)\./.exec(page) ?? []
  return digits === undefined ? undefined : Number(digits)
}
