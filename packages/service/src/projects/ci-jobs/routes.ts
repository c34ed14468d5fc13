/**
 * Exchanges a CI job's identity token for a deploy token that is valid for minutes, so CI stores no
 * secret.
 */

import { ExchangeBody, ExchangeReply } from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { countAction } from '../../platform/limits/hourly-limit.ts'
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { findTenant, readTrust } from './store.ts'
import { isTrusted, type JobIdentity, parseTrust } from './trust.ts'

export const TOKEN_MINUTES = 15
/** A high limit, since many runners of a CI service share one address. */
const PER_HOUR_OF_ADDRESS = 1_000
const PER_HOUR_OF_PROJECT = 600

export type ExchangeDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** Undefined if the service's own URL is not set. */
  readonly verify: ((token: string) => Promise<JobIdentity>) | undefined
  readonly now: () => number
}

export function oidcRoutes({ database, pepper, verify, now }: ExchangeDeps): readonly Route[] {
  const countAddress = createRateLimit(PER_HOUR_OF_ADDRESS, now, {
    detail: `An IP address can send ${PER_HOUR_OF_ADDRESS} requests of this kind per hour. Try again later.`,
  })
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/oidc/exchange',
      tag: 'Deployments',
      summary: 'Exchange a job identity token',
      description: `Returns a deploy token to a GitHub Actions or GitLab CI job whose repository the project trusts. The token is valid for ${TOKEN_MINUTES} minutes. The audience of the identity token must be the URL of this service.`,
      caller: { kind: 'nobody' },
      params: z.object({}),
      query: z.object({}),
      body: ExchangeBody,
      reply: ExchangeReply,
      status: 201,
      problems: ['conflict', 'upstream-failed'],
      formats: ['application/json'],
      async handle({ body, clientAddress }) {
        if (verify === undefined)
          throw new Problem(
            'conflict',
            'This service does not accept identity tokens: OCTAVO_URL is not set.',
          )
        countAddress(clientAddress ?? '')
        const job = await verify(body.token)
        const tenant = await findTenant(database, body.projectId)
        const bound = tenant && database.forProject(tenant)
        const trusts = bound === undefined ? [] : await readTrust(bound)
        // A request for a missing project gets the same response, so that untrusted jobs learn
        // nothing.
        if (
          bound === undefined ||
          !isTrusted(
            job,
            trusts.flatMap((one) => parseTrust(one) ?? []),
          )
        )
          throw new Problem(
            'forbidden',
            `The project does not exist or does not trust ${printJob(job)}.`,
          )
        await countAction(bound, { action: 'oidc', perHour: PER_HOUR_OF_PROJECT })
        const expiresAt = new Date(now() + TOKEN_MINUTES * 60_000)
        const { token } = await createApiKey(
          { database: bound, pepper, requester: { actor: printJob(job).slice(0, 200) } },
          {
            kind: 'deploy',
            name: printJob(job).slice(0, 200),
            scopes: ['deploy:read', 'deploy:write'],
            allowedFrom: null,
            expiresAt,
          },
        )
        return { token, expiresAt: expiresAt.toISOString() }
      },
    }),
  ]
}

const printJob = ({ issuer, repository, branch }: JobIdentity) =>
  `${issuer}:${repository}${branch === undefined ? '' : `@${branch}`}`
