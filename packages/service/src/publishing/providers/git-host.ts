/** The differences between the APIs of Git hosts: one table per host. */
import type { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import type { ApiFailure } from './call-api.ts'
import type { PullRequest } from './provider.ts'
import type { RepositoryAddress } from './repository-address.ts'

export type GitHost = {
  readonly apiUrl: (address: RepositoryAddress) => string
  /** The repository's path in the API; all other paths are below it. */
  readonly repositoryPath: (segments: readonly string[]) => string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  readonly pullRequests: {
    readonly path: string
    /** Undefined for a pull request without a commit to build. */
    readonly schema: z.ZodType<PullRequest | undefined>
  }
  readonly comments: {
    readonly path: (pullRequest: number) => string
    readonly editPath: (pullRequest: number, id: string) => string
    readonly editMethod: 'PATCH' | 'PUT'
    /** Undefined if the list has no pages. */
    readonly pageQuery: string | undefined
    readonly schema: z.ZodType<HostComment>
  }
  readonly status: {
    readonly nameField: 'name' | 'context'
    readonly states: Readonly<Record<CommitStatus['state'], string>>
    readonly descriptionMax: number
    /** Returns true if the error means that the commit already has the status. */
    readonly isSet?: (failure: ApiFailure) => boolean
  }
  /** Returns the body of a check run, for hosts that use them instead of statuses. */
  readonly checkRunOf?: (status: CommitStatus) => object
  /** A hint for the owner if the host permanently refuses a call. */
  readonly refusalHint: string
}

export type HostComment = {
  readonly id: number
  readonly body: string
  readonly userId: number | undefined
  readonly appId?: number | undefined
}
