/** Defines the differences between the APIs of Git hosts. There is one table per host. */
import type { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import type { ApiFailure } from './call-api.ts'
import type { PullRequest } from './provider.ts'
import type { RepositoryAddress } from './repository-address.ts'

export type GitHost = {
  readonly apiUrl: (address: RepositoryAddress) => string
  /** Returns the path of a repository in the API. The paths below are relative to it. */
  readonly repositoryPath: (segments: readonly string[]) => string
  readonly headers: (token: string) => Readonly<Record<string, string>>
  readonly pullRequests: {
    readonly path: string
    /** Parses a pull request. The result is undefined if it has no commit that can be built. */
    readonly schema: z.ZodType<PullRequest | undefined>
  }
  readonly comments: {
    readonly path: (pullRequest: number) => string
    readonly editPath: (pullRequest: number, id: string) => string
    readonly editMethod: 'PATCH' | 'PUT'
    /**
     * The query for lists with several pages; undefined if the API returns all comments at once.
     */
    readonly pageQuery: string | undefined
    readonly schema: z.ZodType<HostComment>
  }
  readonly status: {
    readonly nameField: 'name' | 'context'
    readonly states: Readonly<Record<CommitStatus['state'], string>>
    readonly descriptionMax: number
    /** Returns true if the error only means that the commit already has this status. */
    readonly isSet?: (failure: ApiFailure) => boolean
  }
  /**
   * Returns the body of a check run. Only set for hosts where check runs are used instead of commit
   * statuses.
   */
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
