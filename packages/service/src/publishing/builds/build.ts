/** Words that connections, builds and providers share. */
import type { Query, Tenant } from '../../platform/database/database.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'

export type BuildTrigger = 'webhook' | 'check' | 'api' | 'schedule' | 'retry'

/** A push that was accepted. */
export type NewBuild = {
  readonly target: 'production' | 'preview'
  /** The name of a branch, or `pull/<number>` for a pull request from a fork. */
  readonly ref: string
  readonly commit: string
  readonly pullRequest: number | undefined
  readonly isFork: boolean
  readonly trigger: BuildTrigger
}

/** Builds that wait or run. */
const OPEN_STATES = [
  'queued',
  'fetching',
  'building',
  'uploading',
] as const satisfies readonly BuildState[]

export const isOpen = (state: BuildState): boolean =>
  (OPEN_STATES as readonly BuildState[]).includes(state)

/** Told in the transaction of every change of state, so that what is queued then is there if the change is. */
export type OnBuildChanged = (query: Query, tenant: Tenant, buildId: string) => Promise<void>

/** Queues a build in the transaction of the caller. Gives its id; of one that is under way already, that one's. */
export type AcceptBuild = (query: Query, tenant: Tenant, build: NewBuild) => Promise<string>
