import { spawnSync } from 'node:child_process'

/** The commit, branch and message that a site was built from. */
export type SourceFacts = {
  readonly commit?: string
  readonly branch?: string
  readonly message?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const MESSAGE_LENGTH_MAX = 1_000

/**
 * Reads the source facts from CI variables, or else from Git. The head branch of a pull request
 * takes precedence over its merge ref.
 */
export function readSourceFacts(folder: string, env: Environment): SourceFacts {
  const commit = env.GITHUB_SHA ?? env.CI_COMMIT_SHA ?? git(folder, 'rev-parse', 'HEAD')
  const branch =
    present(env.GITHUB_HEAD_REF) ??
    env.GITHUB_REF_NAME ??
    env.CI_COMMIT_REF_NAME ??
    git(folder, 'branch', '--show-current')
  const message = git(folder, 'log', '-1', '--format=%s')
  return {
    ...(present(commit) && { commit }),
    ...(present(branch) && { branch }),
    ...(present(message) && { message: message?.slice(0, MESSAGE_LENGTH_MAX) }),
  } as SourceFacts
}

const present = (text: string | undefined) => (text === '' ? undefined : text)

function git(folder: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['--no-pager', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout.trim() : undefined
}
