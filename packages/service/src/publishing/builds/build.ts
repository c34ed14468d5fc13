/** Types that connections, builds and providers share. */
import type { Deployment } from '@octavo/contract'
import type { Query, Tenant } from '../../platform/database/database.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'

export type BuildTrigger = 'webhook' | 'check' | 'api' | 'schedule' | 'retry'

/** A build that was accepted for a commit. */
export type NewBuild = {
  readonly target: 'production' | 'preview'
  /** A branch name, or `pull/<number>` for a pull request from a fork. */
  readonly ref: string
  readonly commit: string
  readonly pullRequest: number | undefined
  readonly isFork: boolean
  readonly trigger: BuildTrigger
}

/** States of builds that have not ended. */
const OPEN_STATES = [
  'queued',
  'fetching',
  'building',
  'uploading',
] as const satisfies readonly BuildState[]

export const isOpen = (state: BuildState): boolean =>
  (OPEN_STATES as readonly BuildState[]).includes(state)

/**
 * Called in the transaction of every state change, so that the jobs that it queues are committed
 * together with the change.
 */
export type OnBuildChanged = (query: Query, tenant: Tenant, buildId: string) => Promise<void>

/**
 * Queues a build in the caller's transaction. Returns its id, or that of an open build for the same
 * commit.
 */
export type AcceptBuild = (query: Query, tenant: Tenant, build: NewBuild) => Promise<string>

/** The deployment that a build created. */
export type DoneDeployment = Pick<Deployment, 'id' | 'state'> & {
  readonly notPublished?: string | undefined
}
