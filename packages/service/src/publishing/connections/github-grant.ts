/**
 * What GitHub said about somebody: these repositories, in these installations of our app. The browser
 * keeps it while the person chooses. It can read it and cannot change it, and it is of use to the same
 * session, for the same project, for half an hour: the token that GitHub was asked with is not kept.
 */
import { z } from 'zod'
import { createSealer } from '../../people/identity/sealed-value.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { UserRepository } from '../providers/github-user.ts'
import { sameRepository } from '../providers/repository-address.ts'

const GRANT_SECONDS = 30 * 60

const Grant = z.strictObject({
  session: z.string(),
  project: z.string(),
  /** Names of repositories, by the id of their installation. */
  repositories: z.record(z.string(), z.array(z.string())),
})

/** Whose grant it is, and what for. */
type GrantOwner = { readonly sessionId: string; readonly projectPublicId: string }

export type GitHubGrants = {
  readonly seal: (owner: GrantOwner, repositories: readonly UserRepository[]) => string
  /** The installation of a repository, `owner/name`; nothing for a repository that is not granted. */
  readonly open: (grant: string, owner: GrantOwner, name: string) => string | undefined
}

export function createGitHubGrants(deps: {
  readonly pepper: PepperRing
  readonly now: () => number
}): GitHubGrants {
  const sealer = createSealer('github grant', deps)
  return {
    seal({ sessionId, projectPublicId }, repositories) {
      const groups = Map.groupBy(repositories, ({ installationId }) => installationId)
      const names = [...groups].map(([id, group]) => [id, group.map(({ name }) => name)])
      const value = {
        session: sessionId,
        project: projectPublicId,
        repositories: Object.fromEntries(names),
      }
      return sealer.seal(value, GRANT_SECONDS)
    },
    open(grant, { sessionId, projectPublicId }, name) {
      const found = Grant.safeParse(sealer.open(grant)).data
      if (found?.session !== sessionId || found.project !== projectPublicId) return undefined
      return Object.entries(found.repositories).find(([, names]) =>
        names.some((one) => sameRepository(one, name)),
      )?.[0]
    },
  }
}
