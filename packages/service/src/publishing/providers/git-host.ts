/** What differs between the APIs of Git hosts: one table for each of them. */
import type { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import type { ApiFailure } from './call-api.ts'
import type { PullRequest } from './provider.ts'
import type { RepositoryAddress } from './repository-address.ts'

export type GitHost = {
  readonly apiUrl: (address: RepositoryAddress) => string
  /** Below the API; all other paths are below it. */
  readonly repositoryPath: (segments: readonly string[]) => string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  readonly pullRequests: {
    readonly path: string
    /** Nothing for one that has nothing to build. */
    readonly schema: z.ZodType<PullRequest | undefined>
  }
  readonly comments: {
    readonly path: (pullRequest: number) => string
    readonly editPath: (pullRequest: number, id: string) => string
    readonly editMethod: 'PATCH' | 'PUT'
    /** Nothing where the list has no pages. */
    readonly pageQuery: string | undefined
    readonly schema: z.ZodType<HostComment>
  }
  readonly status: {
    readonly nameField: 'name' | 'context'
    readonly states: Readonly<Record<CommitStatus['state'], string>>
    readonly descriptionMax: number
    /** Whether a refusal says that the commit has the status already. */
    readonly isSet?: (failure: ApiFailure) => boolean
  }
  /** The body of a check run, where there are such instead of statuses. */
  readonly checkRunOf?: (status: CommitStatus) => object
  /** What to check when the host refuses a call for good. */
  readonly refusalHint: string
}

export type HostComment = {
  readonly id: number
  readonly body: string
  readonly userId: number | undefined
  readonly appId?: number | undefined
}
