/**
 * A grant contains the repositories that GitHub says a person can use, in installations of our app.
 * The browser stores it while the person chooses a repository, and can read but not change it. It
 * is valid for half an hour in the same session and project. So GitHub's token does not have to be
 * stored.
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
  /** Repository names by installation id. */
  repositories: z.record(z.string(), z.array(z.string())),
})

/** The session and project that a grant is for. */
type GrantOwner = { readonly sessionId: string; readonly projectPublicId: string }

export type GitHubGrants = {
  readonly seal: (owner: GrantOwner, repositories: readonly UserRepository[]) => string
  /**
   * Returns the id of the installation that contains the repository `owner/name`; undefined if the
   * grant is invalid or does not contain the repository.
   */
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
