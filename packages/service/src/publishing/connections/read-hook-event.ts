/**
 * Reads which ref a webhook is about. This is only a hint: a repository check finds out what has
 * changed. So if a payload has an unknown format, only the hint is lost.
 */

import type { ProviderKind } from '@octavo/contract'
import { z } from 'zod'

export type HookEvent =
  | { readonly kind: 'push'; readonly branch: string }
  | { readonly kind: 'pull-request'; readonly number: number; readonly action: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'other' }

const OTHER = { kind: 'other' } as const
const BRANCH_LENGTH_MAX = 250
const ACTION_LENGTH_MAX = 50

const Push = z.object({ ref: z.string() })
/** The payload of the events `create` and `delete`, whose ref is a name without `refs/heads/`. */
const NamedRef = z.object({ ref: z.string(), ref_type: z.string() })
const PullRequest = z.object({ number: z.int().positive(), action: z.string() })
const MergeRequest = z.object({
  object_attributes: z.object({ iid: z.int().positive(), action: z.string().optional() }),
})
const BitbucketPush = z.object({
  push: z.object({
    changes: z.array(
      z.object({
        new: z.object({ type: z.string(), name: z.string() }).nullish(),
        old: z.object({ type: z.string(), name: z.string() }).nullish(),
      }),
    ),
  }),
})
const BitbucketPull = z.object({ pullrequest: z.object({ id: z.int().positive() }) })

export function readHookEvent(
  provider: ProviderKind,
  event: string | null,
  payload: unknown,
): HookEvent {
  switch (provider) {
    case 'github':
    case 'gitea':
      return readGitHubEvent(event, payload)
    case 'gitlab':
      return readGitLabEvent(event, payload)
    case 'git':
      return readOtherEvent(event, payload)
  }
}

/** Returns the ref in the form that repository checks use; null if it is unknown. */
export function refOfEvent(event: HookEvent): string | null {
  if (event.kind === 'push') return event.branch
  return event.kind === 'pull-request' ? `pull/${event.number}` : null
}

function readGitHubEvent(event: string | null, payload: unknown): HookEvent {
  if (event === 'ping') return { kind: 'ping' }
  if (event === 'push') return pushOf(Push.safeParse(payload).data?.ref)
  if (event === 'create' || event === 'delete') {
    const named = NamedRef.safeParse(payload).data
    return named?.ref_type === 'branch' ? branchOf(named.ref) : OTHER
  }
  // Gitea sends `pull_request_sync` for new commits of a pull request.
  if (event === 'pull_request' || event === 'pull_request_sync') {
    const pull = PullRequest.safeParse(payload).data
    return pull === undefined ? OTHER : pullOf(pull.number, pull.action)
  }
  return OTHER
}

function readGitLabEvent(event: string | null, payload: unknown): HookEvent {
  if (event === 'Push Hook') return pushOf(Push.safeParse(payload).data?.ref)
  if (event === 'Merge Request Hook') {
    const merge = MergeRequest.safeParse(payload).data?.object_attributes
    return merge === undefined ? OTHER : pullOf(merge.iid, merge.action ?? 'update')
  }
  return OTHER
}

/**
 * Reads an event from Bitbucket or an unknown sender, which may send `{"ref": "refs/heads/main"}`
 * or no ref.
 */
function readOtherEvent(event: string | null, payload: unknown): HookEvent {
  if (event?.startsWith('pullrequest:')) {
    const pull = BitbucketPull.safeParse(payload).data?.pullrequest
    return pull === undefined ? OTHER : pullOf(pull.id, event.slice('pullrequest:'.length))
  }
  const changes = BitbucketPush.safeParse(payload).data?.push.changes ?? []
  const [change, ...others] = changes.flatMap((one) => one.new ?? one.old ?? [])
  if (change !== undefined)
    return change.type === 'branch' && others.length === 0 ? branchOf(change.name) : OTHER
  return pushOf(Push.safeParse(payload).data?.ref)
}

function pushOf(ref: string | undefined): HookEvent {
  const [, branch = ''] = /^refs\/heads\/(.+)$/s.exec(ref ?? '') ?? []
  return branchOf(branch)
}

function branchOf(branch: string): HookEvent {
  const isName = branch.length > 0 && branch.length <= BRANCH_LENGTH_MAX && !/\p{C}/u.test(branch)
  return isName ? { kind: 'push', branch } : OTHER
}

const pullOf = (number: number, action: string): HookEvent => ({
  kind: 'pull-request',
  number,
  action: action.slice(0, ACTION_LENGTH_MAX),
})
