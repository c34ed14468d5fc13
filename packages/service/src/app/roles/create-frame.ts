/** Creates the functions with which routes identify and limit their callers. */

import type { Sessions } from '../../people/sessions/sessions.ts'
import { findOrganizationRole, findProjectRole } from '../../people/users/store.ts'
import { addressPrefix, insertAudit } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Frame } from '../../platform/http/route.ts'
import { countAction } from '../../platform/limits/hourly-limit.ts'
import { createAnonymousLimit, createRateLimit } from '../../platform/limits/rate-limit.ts'
import { Problem } from '../../platform/problem.ts'
import { isSessionToken } from '../../platform/secrets/token.ts'
import { type Authenticator, readBearer } from '../../projects/api-keys/authenticate.ts'
import { createAppHookAuthenticator } from '../../publishing/connections/authenticate-app-hook.ts'
import { createHookAuthenticator } from '../../publishing/connections/authenticate-hook.ts'
import type { Settings } from '../settings/env.ts'

export type FrameDeps = {
  readonly settings: Settings
  readonly database: Database
  readonly authenticator: Authenticator
  readonly sessions: Sessions
  readonly now: () => number
}

export function createFrame({
  settings,
  database,
  authenticator,
  sessions,
  now,
}: FrameDeps): Frame {
  const rateLimit = createRateLimit(settings.requestsPerHour, now)
  return {
    isReadOnly: settings.isReadOnly,
    authenticate: authenticator.authenticate,
    authenticateHook: createHookAuthenticator({ database, secretKeys: settings.secretKeys, now }),
    authenticateAppHook: createAppHookAuthenticator({
      database,
      webhookSecret: settings.gitHubApp?.webhookSecret,
    }),
    findPerson: async (request) => {
      const header = request.headers.get('authorization')
      // Other tokens are checked later, as API keys.
      if (header === null || !isSessionToken(header.replace(/^Bearer /i, ''))) return undefined
      const person = await sessions.find(readBearer(header))
      if (person?.kind === 'command-line') return person
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    },
    findProjectRole: (person, id) => findProjectRole(database, person, id),
    findOrganizationRole: (person, id) => findOrganizationRole(database, person, id),
    countRequest: (caller, { kind }) => {
      const id = 'person' in caller ? caller.person.id : caller.tenant.projectId
      // Deployments have a separate limit, so that a loop of exports does not block them, and vice
      // versa.
      return rateLimit(kind === 'deployToken' ? `${id} deploy` : id)
    },
    countAnonymous: createAnonymousLimit(now),
    countAction: (tenant, limit) => countAction(database.forProject(tenant), limit),
    audit: (caller, { clientAddress, ...event }) =>
      (caller.kind === 'organization'
        ? database.forOrganization(caller.organizationId)
        : database.forProject(caller.tenant)
      ).transaction((query) =>
        insertAudit(query, {
          ...event,
          actor: caller.actor,
          addressPrefix: addressPrefix(clientAddress),
        }),
      ),
  }
}
