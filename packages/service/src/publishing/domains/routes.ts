/** Routes to claim, check, redirect and remove custom domains of a project. */
import { randomBytes } from 'node:crypto'
import { counterpartOf, Domain, DomainBody, DomainChange, DomainList } from '@octavo/contract'
import { z } from 'zod'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { DomainCheck } from './check-domain.ts'
import { domainChecksOf, recordOf } from './domain-checks.ts'
import { parseDomain } from './parse-domain.ts'
import { type ClaimResult, type ClaimRow, DOMAINS_MAX, DomainStore, shownState } from './store.ts'

const TAG = 'Domains'
const PATH = '/v1/projects/:projectId/domains'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const
const TOKEN_BYTES = 16

const DomainParams = ProjectParams.extend({
  domainName: z.string().meta({
    description: 'The name of a domain of the project.',
    examples: ['docs.example.com'],
  }),
})

export type DomainRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly domainCheck: DomainCheck
  /** Names of the service itself, which no project can claim. */
  readonly ownNames: readonly string[]
  /** Called after a claim was changed. */
  readonly onChanged: () => Promise<void>
}

export const domainRoutes = (deps: DomainRouteDeps): readonly Route[] => [
  listDomains(deps),
  addDomain(deps),
  getDomain(deps),
  checkDomain(deps),
  changeDomain(deps),
  removeDomain(deps),
]

const listDomains = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'List domains',
    description: 'The custom domains of the project, with the results of their last checks.',
    caller: CALLER,
    params: ProjectParams,
    reply: DomainList,
    async handle({ caller }) {
      const store = storeOf(deps, caller)
      const claims = await store.list()
      const target = await deps.domainCheck.targetOf(store)
      return { domains: claims.map((claim) => showDomain(claim, target)) }
    },
  })

const addDomain = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: PATH,
    tag: TAG,
    summary: 'Add a domain',
    description:
      'Claims a domain for the project. The site is served there once the TXT record from the response is visible in DNS. If the same organization adds a removed domain again within 30 days, the record stays the same.',
    caller: CALLER,
    params: ProjectParams,
    body: DomainBody,
    reply: Domain,
    status: 201,
    problems: ['conflict'],
    async handle({ caller, body, audit }) {
      const parsed = parseDomain(body.name, deps.ownNames)
      if (parsed.kind === 'refused')
        throw new Problem('invalid-request', `The domain ${parsed.reason}.`, { param: 'name' })
      const { name } = parsed
      const store = storeOf(deps, caller)
      refuseClaim(await store.claim(name, randomBytes(TOKEN_BYTES).toString('hex')))
      await audit({ action: 'domain.add', object: name })
      return show(deps, store, await findClaim(store, name))
    },
  })

const getDomain = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/:domainName`,
    tag: TAG,
    summary: 'Get a domain',
    description: 'One domain of the project, with the result of its last check.',
    caller: CALLER,
    params: DomainParams,
    reply: Domain,
    async handle({ caller, params }) {
      const store = storeOf(deps, caller)
      return show(deps, store, await findClaim(store, params.domainName))
    },
  })

const checkDomain = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/:domainName/check`,
    tag: TAG,
    summary: 'Check a domain',
    description:
      'Checks the domain now, and returns the result. A new domain is also checked every 15 minutes, and later once a day.',
    caller: CALLER,
    params: DomainParams,
    reply: Domain,
    limit: { action: 'domain-check', perHour: 120 },
    async handle({ caller, params, audit }) {
      const store = storeOf(deps, caller)
      const claim = await findClaim(store, params.domainName)
      await deps.domainCheck.check(store, claim)
      const checked = await findClaim(store, claim.name)
      const state = shownState(checked)
      if (state !== shownState(claim))
        await audit({ action: `domain.${state}`, object: claim.name, after: { state } })
      return show(deps, store, checked)
    },
  })

const changeDomain = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: `${PATH}/:domainName`,
    tag: TAG,
    summary: 'Change a domain',
    description:
      'Redirects readers from this domain to its counterpart with or without `www.`, with status 308.',
    caller: CALLER,
    params: DomainParams,
    body: DomainChange,
    reply: Domain,
    problems: ['conflict'],
    async handle({ caller, params, body: { redirects }, audit }) {
      const store = storeOf(deps, caller)
      const claim = await findClaim(store, params.domainName)
      if (!(await store.setRedirects(claim.name, redirects)))
        throw new Problem(
          'conflict',
          `Add ${counterpartOf(claim.name)} to this project first, and switch off its own redirect.`,
          { param: 'redirects' },
        )
      if (claim.redirects !== redirects)
        await audit({
          action: 'domain.change',
          object: claim.name,
          after: { redirects },
        })
      await deps.onChanged()
      return show(deps, store, await findClaim(store, claim.name))
    },
  })

const removeDomain = (deps: DomainRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:domainName`,
    tag: TAG,
    summary: 'Remove a domain',
    description:
      'The site is no longer served there. Also remove the DNS records. Other organizations cannot claim a domain that still points here, because they have to prove with their own record that it is theirs.',
    caller: CALLER,
    params: DomainParams,
    async handle({ caller, params, audit }) {
      const store = storeOf(deps, caller)
      const { name } = await findClaim(store, params.domainName)
      await store.remove(name)
      await audit({ action: 'domain.remove', object: name })
      await deps.onChanged()
      return undefined
    },
  })

const storeOf = ({ databaseOf }: DomainRouteDeps, { tenant }: { readonly tenant: Tenant }) =>
  new DomainStore(databaseOf(tenant))

/** Finds the claim for a name that a user entered, in any spelling. */
async function findClaim(store: DomainStore, text: string): Promise<ClaimRow> {
  const parsed = parseDomain(text, [])
  const claim = parsed.kind === 'domain' ? await store.find(parsed.name) : undefined
  if (claim === undefined) throw new Problem('not-found', 'The project does not have this domain.')
  return claim
}

async function show(deps: DomainRouteDeps, store: DomainStore, claim: ClaimRow): Promise<Domain> {
  return showDomain(claim, await deps.domainCheck.targetOf(store))
}

function refuseClaim(result: ClaimResult): void {
  switch (result) {
    case 'claimed':
      return
    case 'exists':
      throw new Problem('conflict', 'The project already has this domain.', { param: 'name' })
    case 'elsewhere':
      throw new Problem(
        'conflict',
        'Another project of your organization has this domain. Remove it there first.',
        { param: 'name' },
      )
    case 'too-many':
      throw new Problem('conflict', `A project can have ${DOMAINS_MAX} domains. Remove one first.`)
    case 'not-found':
      throw new Problem('not-found', 'The project does not exist.')
  }
}

function showDomain(claim: ClaimRow, target: string): Domain {
  const { name, redirects, servedUntil } = claim
  const state = shownState(claim)
  if (state === 'removed') throw new Error('a removed domain cannot be shown')
  return {
    name,
    state,
    redirects,
    servedUntil: servedUntil?.toISOString() ?? null,
    record: recordOf(claim),
    target,
    checks: domainChecksOf(claim),
  }
}
