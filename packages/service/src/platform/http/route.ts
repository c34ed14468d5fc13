/**
 * Every endpoint is one call to `defineRoute`, so authentication, scope, binding to the project,
 * parsing, limits and problem replies are written once and cannot be forgotten.
 */

import { hasScope, ROLE_SCOPES, type Role, type Scope, scopesInProject } from '@octavo/contract'
import type { z } from 'zod'
import type { Tenant } from '../database/database.ts'
import type { HourlyLimit } from '../limits/hourly-limit.ts'
import { asProblem, Problem, type ProblemCode } from '../problem.ts'
import { bodyLimitOf } from './body-limits.ts'
import type {
  AppHookCaller,
  Caller,
  HookCaller,
  KeyCaller,
  MemberCaller,
  OrganizationCaller,
  ProjectRole,
  SignedIn,
} from './caller.ts'
import { type Click, valueReply } from './click.ts'
import { JSON_FORMAT, NO_QUERY } from './params.ts'
import {
  chooseFormat,
  lengthOf,
  parseBody,
  parseParams,
  parseQuery,
  readIdempotencyKey,
  requireText,
} from './parse-request.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What the frame gives to every request. */
export type Frame = {
  /** Nothing may be changed at the moment. */
  readonly isReadOnly: boolean
  readonly authenticate: (request: Request, clientAddress: string | undefined) => Promise<KeyCaller>
  /** The person whose session token a request has; nothing for one with an API key. */
  readonly findPerson: (request: Request) => Promise<SignedIn | undefined>
  /** The role of a person; nothing where they have none. */
  readonly findProjectRole: (
    person: SignedIn,
    projectId: string,
  ) => Promise<ProjectRole | undefined>
  readonly findOrganizationRole: (
    person: SignedIn,
    organizationId: string,
  ) => Promise<{ readonly organizationId: string; readonly role: Role } | undefined>
  /** By the address of a webhook and the signature of its body, which is read here. */
  readonly authenticateHook: (request: Request, hookId: string) => Promise<HookCaller>
  /** By the signature of the GitHub App. */
  readonly authenticateAppHook: (request: Request) => Promise<AppHookCaller>
  /** People and projects have limits of their own, and deployments have a separate one. */
  readonly countRequest: (caller: Admitted, rule: CallerRule) => Readonly<Record<string, string>>
  /** Counts a request without a credential; throws when its network has sent too many. */
  readonly countAnonymous: (clientAddress: string | undefined) => void
  /** Counts something expensive, across all processes. */
  readonly countAction: (
    tenant: Tenant,
    limit: HourlyLimit,
  ) => Promise<Readonly<Record<string, string>>>
  /** Notes what somebody did, for the owner to read. */
  readonly audit: (caller: Caller | OrganizationCaller, event: RequestEvent) => Promise<void>
}

/** Somebody with a credential of ours. */
export type Admitted = Caller | OrganizationCaller | PersonCaller
type PersonCaller = { readonly kind: 'person'; readonly person: SignedIn }

/** What a request did, and where it came from. */
type RequestEvent = {
  readonly action: string
  readonly object?: string
  readonly after?: object
  readonly clientAddress: string | undefined
  readonly requestId: string
}

type RequestContext = {
  readonly requestId: string
  /** What the dashboard calls for, in this process; no request can say so. */
  readonly click?: Click | undefined
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly clientAddress: string | undefined
}

/** Who may call a route. */
export type CallerRule =
  | { readonly kind: 'nobody' }
  /** An admin key that has the scope, or a person whose role in the project has it. */
  | { readonly kind: 'adminKey'; readonly scope: Scope }
  /** The same, or a deploy token. */
  | { readonly kind: 'deployToken'; readonly scope: 'deploy:read' | 'deploy:write' }
  /** A Git host, by the path parameter `hookId` and the signature of the body. */
  | { readonly kind: 'webhook' }
  /** GitHub, by the signature of the GitHub App. It may be about several projects, or none. */
  | { readonly kind: 'appWebhook' }
  /** A person whose role in the project has the scope; no API key. */
  | { readonly kind: 'member'; readonly scope: Scope }
  /** Anybody who is signed in, about themselves. */
  | { readonly kind: 'person' }
  /** A person whose role in the organization, the path parameter `organizationId`, has the scope. */
  | { readonly kind: 'organization'; readonly scope: Scope }

type CallerOf<Rule extends CallerRule> = Rule extends { kind: 'nobody' }
  ? undefined
  : Rule extends { kind: 'webhook' }
    ? HookCaller
    : Rule extends { kind: 'appWebhook' }
      ? AppHookCaller
      : Rule extends { kind: 'person' }
        ? PersonCaller
        : Rule extends { kind: 'organization' }
          ? OrganizationCaller
          : Rule extends { kind: 'member' }
            ? MemberCaller
            : Caller

/** What a route says about itself; the OpenAPI document is made of it. */
type RouteFacts = {
  readonly method: Method
  readonly path: string
  /** The part of the reference that it belongs to. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly caller: CallerRule
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body?: z.ZodType | undefined
  /** For a body that is no JSON: what it is, and how large it may be. */
  readonly stream?: { readonly type: string; readonly bytesMax: number } | undefined
  /** Nothing for a route that answers 204. */
  readonly reply?: z.ZodType | undefined
  /** Of success; 200 unless something was created or begun. */
  readonly status?: 200 | 201 | 202 | undefined
  /** Media types, the first is the default. */
  readonly formats: readonly string[]
  /** Problems that it answers with beside those of every route. */
  readonly problems?: readonly ProblemCode[] | undefined
  /** For what is expensive: a limit of its own. */
  readonly limit?: HourlyLimit | undefined
  /** Also for an archived project, although it is neither GET nor DELETE. */
  readonly worksArchived?: boolean | undefined
}

export type Route = RouteFacts & {
  readonly run: (frame: Frame, context: RequestContext) => Promise<Response>
}

export type RouteSpec<
  Rule extends CallerRule,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> = Omit<RouteFacts, 'caller' | 'params' | 'query' | 'body' | 'reply' | 'formats'> & {
  readonly caller: Rule
  readonly params: Params
  /** A route without it takes no query. */
  readonly query?: Query
  readonly body?: Body
  readonly reply?: Reply
  /** A route without it answers with JSON. */
  readonly formats?: readonly string[]
  /**
   * Receives values that are authenticated, bound to the project and parsed. What it gives is parsed
   * by `reply` on its way out, so that a column which is added cannot leak; a `Response` passes as it
   * is, for streams and for rows that come as JSON from the database.
   */
  readonly handle: (input: {
    readonly caller: CallerOf<Rule>
    readonly params: z.output<Params>
    readonly query: z.output<Query>
    readonly body: z.output<Body>
    readonly format: string
    /** The body of a route that has a `stream`, as it comes. */
    readonly stream: ReadableStream<Uint8Array>
    /** How long that body says it is. */
    readonly length: number
    /** Sent again with the same key, a request has one effect. */
    readonly idempotencyKey: string | undefined
    readonly clientAddress: string | undefined
    /** Notes what was done, for the owner to read. */
    readonly audit: (event: Pick<RequestEvent, 'action' | 'object' | 'after'>) => Promise<void>
  }) => Promise<z.input<Reply> | Response | undefined>
}

export function defineRoute<
  const Rule extends CallerRule,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(spec: RouteSpec<Rule, Params, Query, Body, Reply>): Route {
  const { handle, query = NO_QUERY, formats = [JSON_FORMAT], ...facts } = spec
  return {
    ...facts,
    query,
    formats,
    async run(frame, context) {
      const { request, clientAddress, requestId, click } = context
      const { bytesMax } = bodyLimitOf(spec)
      requireText(context.params)
      // What is refused of a webhook is stored, so it has to wait too.
      if (frame.isReadOnly && spec.caller.kind === 'webhook') throw readOnly()
      const admitted = withRequest(await admit(frame, spec, context), requestId)
      const caller = admitted !== undefined && 'kind' in admitted ? admitted : undefined
      let limits = caller === undefined ? {} : countRequest(frame, spec, { caller, click })
      if (spec.method !== 'GET') click?.noteChange()
      try {
        if (frame.isReadOnly && spec.method !== 'GET') throw readOnly()
        if (isArchived(admitted) && refusesArchived(spec)) throw archived()
        if (admitted !== undefined && 'tenant' in admitted && spec.limit !== undefined)
          limits = joinHeaders(limits, await frame.countAction(admitted.tenant, spec.limit))
        const answer = async () =>
          handle({
            format: chooseFormat(request.headers.get('accept'), formats),
            params: parseParams(spec.params, context.params),
            query: parseQuery(query, new URL(request.url).search) as z.output<Query>,
            body: (spec.body && (await parseBody(spec.body, request, bytesMax))) as z.output<Body>,
            stream: request.body ?? new ReadableStream({ start: (it) => it.close() }),
            length: spec.stream === undefined ? 0 : lengthOf(request, bytesMax),
            idempotencyKey: readIdempotencyKey(request),
            clientAddress,
            caller: admitted as CallerOf<Rule>,
            audit: async (event) => {
              if (caller !== undefined && caller.kind !== 'person')
                await frame.audit(caller, { ...event, clientAddress, requestId })
            },
          })
        const isShared = click !== undefined && spec.method === 'GET'
        const result = await (isShared ? click.reads.run(answer) : answer())
        const response = replyOf(spec, result, click?.takesValues)
        for (const [name, value] of Object.entries(limits)) response.headers.set(name, value)
        return response
      } catch (error) {
        // A request that was refused has used up a turn all the same, and says so.
        throw asProblem(error).with(limits)
      }
    },
  }
}

const countRequest = (
  frame: Frame,
  route: Pick<RouteFacts, 'method' | 'caller'>,
  { caller, click }: { readonly caller: Admitted; readonly click: Click | undefined },
) => click?.count(frame, caller, route) ?? frame.countRequest(caller, route.caller)

function readOnly(): Problem {
  return new Problem(
    'unavailable',
    'Nothing can be changed at the moment. Please try again later.',
    {
      headers: { 'retry-after': '60' },
    },
  )
}

/** What somebody does is noted with the id of the request. */
function withRequest<Known extends object>(caller: Known | undefined, requestId: string) {
  return caller !== undefined && 'actor' in caller ? { ...caller, requestId } : caller
}

const OF_PROJECTS = ['adminKey', 'deployToken', 'member', 'webhook']

/**
 * One rule for all routes: an archived project is read, and nothing is added to it. What takes away
 * goes on: keys leak and readers want to be forgotten there, too.
 */
export const refusesArchived = (
  route: Pick<RouteFacts, 'method' | 'caller' | 'worksArchived'>,
): boolean =>
  OF_PROJECTS.includes(route.caller.kind) &&
  route.method !== 'GET' &&
  route.method !== 'DELETE' &&
  route.worksArchived !== true

function archived(): Problem {
  return new Problem(
    'archived',
    'The project is archived: it can be read and exported, and nothing can be added or changed. An admin can restore it in its settings.',
  )
}

const isArchived = (admitted: Awaited<ReturnType<typeof admit>>) =>
  admitted !== undefined && 'isArchived' in admitted && admitted.isArchived

async function admit(
  frame: Frame,
  { caller: rule }: Pick<RouteFacts, 'caller'>,
  context: RequestContext,
): Promise<Admitted | HookCaller | AppHookCaller | undefined> {
  const { request, params, clientAddress, click } = context
  if (rule.kind === 'nobody') {
    frame.countAnonymous(clientAddress)
    return undefined
  }
  if (rule.kind === 'webhook') return frame.authenticateHook(request, params.hookId ?? '')
  if (rule.kind === 'appWebhook') return frame.authenticateAppHook(request)
  const person = click?.person ?? (await frame.findPerson(request))
  if (person !== undefined) return admitPerson(frame, rule, person, params)
  const caller = await frame.authenticate(request, clientAddress)
  if (rule.kind !== 'adminKey' && rule.kind !== 'deployToken')
    throw new Problem('forbidden', 'An API key cannot do this. Sign in instead.')
  // A key of another project gets the same answer as a project that does not exist: the
  // difference would tell a stranger which projects we host. A path without a project is about the
  // project of the key.
  if ('projectId' in params && caller.projectPublicId !== params.projectId) throw noSuchProject()
  if (rule.kind === 'adminKey' && caller.kind !== 'admin')
    throw new Problem('forbidden', 'An admin key is required.')
  if (!hasScope(caller.scopes, rule.scope))
    throw new Problem('forbidden', `This API key does not have the scope \`${rule.scope}\`.`)
  return caller
}

/** A project or organization without a role for the caller is reported as missing. */
async function admitPerson(
  frame: Frame,
  rule: Exclude<CallerRule, { kind: 'nobody' | 'webhook' | 'appWebhook' }>,
  person: SignedIn,
  { projectId, organizationId }: Readonly<Record<string, string>>,
): Promise<Admitted> {
  if (rule.kind === 'person') return { kind: 'person', person }
  if (person.mustKeepAccess)
    throw new Problem(
      'forbidden',
      'You cannot sign in again when this session is over. Open /keep-access in a browser and add a passkey or recovery codes first.',
    )
  const actor = `user ${person.id}`
  if (rule.kind === 'organization') {
    const found = await frame.findOrganizationRole(person, organizationId ?? '')
    if (found === undefined) throw new Problem('not-found', 'The organization does not exist.')
    const scopes = ROLE_SCOPES[found.role]
    requireScope(scopes, rule.scope, found.role)
    return { kind: 'organization', person, ...found, scopes, actor }
  }
  if (projectId === undefined) throw new Problem('forbidden', 'An API key is required.')
  const found = await frame.findProjectRole(person, projectId)
  if (found === undefined) throw noSuchProject()
  const scopes = scopesInProject(found.role, found.organizationRole)
  requireScope(scopes, rule.scope, found.role)
  return { kind: 'member', person, ...found, projectPublicId: projectId, scopes, actor }
}

function requireScope(scopes: readonly Scope[], wanted: Scope, role: Role): void {
  if (hasScope(scopes, wanted)) return
  throw new Problem(
    'forbidden',
    hasScope(ROLE_SCOPES[role], wanted)
      ? `You have the role \`${role}\` in this project alone. The scope \`${wanted}\` needs that role in the organization: ask one of its owners.`
      : `The role \`${role}\` does not have the scope \`${wanted}\`.`,
  )
}

/** Each limit is an item of the same list. */
function joinHeaders(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const joined = Object.entries(b).map(([name, value]) => [
    name,
    a[name] === undefined ? value : `${a[name]}, ${value}`,
  ])
  return { ...a, ...Object.fromEntries(joined) }
}

function replyOf(
  { reply, status = 200 }: Pick<RouteFacts, 'reply' | 'status'>,
  result: unknown,
  takesValues = false,
): Response {
  if (result instanceof Response) return result
  if (reply === undefined) return new Response(null, { status: 204 })
  const value = reply.parse(result)
  return takesValues ? valueReply(value, status) : Response.json(value, { status })
}

function noSuchProject(): Problem {
  return new Problem('not-found', 'The project does not exist.')
}
