import { readFileSync } from 'node:fs'
import type { Environment } from './inputs.ts'

export type PullRequest = {
  readonly number: number
  /** From another repository: its job has no secrets, and it must not get our identity. */
  readonly isFork: boolean
}

type EventFile = {
  readonly pull_request?: {
    readonly number?: unknown
    readonly head?: { readonly repo?: { readonly full_name?: unknown } | null }
  }
}

/** The pull request that the job runs for; nothing for other events. */
export function readPullRequest(env: Environment): PullRequest | undefined {
  if (!/^pull_request(?:_target)?$/.test(env.GITHUB_EVENT_NAME ?? '')) return undefined
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8')) as EventFile
  const number = event.pull_request?.number
  if (typeof number !== 'number') return undefined
  return { number, isFork: event.pull_request?.head?.repo?.full_name !== env.GITHUB_REPOSITORY }
}
