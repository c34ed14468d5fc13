/**
 * Defines API routes. Every endpoint is one call of `defineRoute`, so that authentication, scopes,
 * binding to the project, parsing, limits and problem responses are written once and cannot be
 * forgotten.
 */

import { hasScope, ROLE_SCOPES, type Role, type Scope, scopesInProject } from '@octavo/contract'
import type { z } from 'zod'
import type { Tenant } from '../database/database.ts'
import type { HourlyLimit } from '../limits/hourly-limit.ts'
import { asProblem, Problem, type ProblemCode } from '../problem.ts'
import { auditExport } from './audit-export.ts'
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
import { type Click, valueResponse } from './click.ts'
import { joinHeaders } from './join-headers.ts'
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

/** The functions of the service that every route needs to handle a request. */
export type Frame = {
  /** True while the service allows no changes. */
  readonly isReadOnly: boolean
  readonly authenticate: (request: Request, clientAddress: string | undefined) => Promise<KeyCaller>
  /**
   * Returns the person whose session token the request contains; undefined for a request with an
   * API key.
   */
  readonly findPerson: (request: Request) => Promise<SignedIn | undefined>
  /** Returns the person's role; undefined if they have no role in the project. */
  readonly findProjectRole: (
    person: SignedIn,
    projectId: string,
  ) => Promise<ProjectRole | undefined>
  readonly findOrganizationRole: (
    person: SignedIn,
    organizationId: string,
  ) => Promise<{ readonly organizationId: string; readonly role: Role } | undefined>
  /** Reads a webhook's body, and authenticates it by the webhook's id and the body's signature. */
  readonly authenticateHook: (request: Request, hookId: string) => Promise<HookCaller>
  /** Authenticates a webhook by the signature of the GitHub App. */
  readonly authenticateAppHook: (request: Request) => Promise<AppHookCaller>
  /**
   * Counts a request toward the rate limit of the person or the project. Deployments have a
   * separate limit.
   */
  readonly countRequest: (caller: Admitted, rule: CallerRule) => Readonly<Record<string, string>>
  /** Counts a request without a credential; throws if its network has sent too many. */
  readonly countAnonymous: (clientAddress: string | undefined) => void
  /** Counts an expensive action across all processes. */
  readonly countAction: (
    tenant: Tenant,
    limit: HourlyLimit,
  ) => Promise<Readonly<Record<string, string>>>
  readonly audit: (caller: Caller | OrganizationCaller, event: RequestEvent) => Promise<void>
}

/** A caller that authenticated with an API key, a token or a session of the service. */
export type Admitted = Caller | OrganizationCaller | PersonCaller
type PersonCaller = { readonly kind: 'person'; readonly person: SignedIn }

/** The audit event of a request: what it did, and where the request came from. */
type RequestEvent = {
  readonly action: string
  readonly object?: string
  readonly before?: object
  readonly after?: object
  readonly clientAddress: string | undefined
  readonly requestId: string
}

export type RequestContext = {
  readonly requestId: string
  /** Set if the dashboard calls the route within this process. Requests cannot set it. */
  readonly click?: Click | undefined
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly clientAddress: string | undefined
}

/** The callers that a route accepts. */
export type CallerRule =
  | { readonly kind: 'nobody' }
  /** An admin key with the scope, or a person whose role in the project has the scope. */
  | { readonly kind: 'adminKey'; readonly scope: Scope }
  /** The same callers as for `adminKey`, and deploy tokens. */
  | { readonly kind: 'deployToken'; readonly scope: 'deploy:read' | 'deploy:write' }
  /** A Git host, identified by the path parameter `hookId` and the signature of the body. */
  | { readonly kind: 'webhook' }
  /** GitHub, identified by the signature of the GitHub App, for any number of projects. */
  | { readonly kind: 'appWebhook' }
  /** A person whose role in the project has the scope. API keys are not accepted. */
  | { readonly kind: 'member'; readonly scope: Scope }
  /** Any signed-in person, for their own data. */
  | { readonly kind: 'person' }
  /**
   * A person whose role in the organization in the path parameter `organizationId` has the scope.
   */
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

/** The description of a route, from which the OpenAPI document is generated. */
export type RouteDescription = {
  readonly method: Method
  readonly path: string
  /** The section of the API reference that lists the route. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly caller: CallerRule
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body?: z.ZodType | undefined
  /** Converts the values of an NDJSON body to a JSON body; undefined if only JSON is accepted. */
  readonly fromLines?: ((lines: readonly unknown[]) => unknown) | undefined
  /** The type and maximum size of a body that is not JSON. */
  readonly stream?: { readonly type: string; readonly bytesMax: number } | undefined
  /** The schema of the response; undefined for a route that responds with 204. */
  readonly reply?: z.ZodType | undefined
  /** The success status; 200 unless something is created or started. */
  readonly status?: 200 | 201 | 202 | undefined
  /** The media types of the response. The first one is the default. */
  readonly formats: readonly string[]
  /** The audit action of a download, which is a response in a format other than the default. */
  readonly exportAction?: string | undefined
  /** Problems that the route returns in addition to the common ones. */
  readonly problems?: readonly ProblemCode[] | undefined
  /** An additional limit for an expensive route. */
  readonly limit?: HourlyLimit | undefined
  /**
   * True if the route also works for an archived project, although it is neither GET nor DELETE.
   */
  readonly worksArchived?: boolean | undefined
}

export type Route = RouteDescription & {
  readonly run: (frame: Frame, context: RequestContext) => Promise<Response>
}

export type RouteSpec<
  Rule extends CallerRule,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> = Omit<RouteDescription, 'caller' | 'params' | 'query' | 'body' | 'reply' | 'formats'> & {
  readonly caller: Rule
  readonly params: Params
  /** A route without a query schema accepts no parameters. */
  readonly query?: Query
  readonly body?: Body
  readonly reply?: Reply
  /** The media types of the response; JSON by default. */
  readonly formats?: readonly string[]
  /**
   * Handles an authenticated request with parsed values. The result is parsed with `reply`, so that
   * a new database column cannot leak. A `Response` is sent unchanged, for streams and for rows
   * that the database returns as JSON.
   */
  readonly handle: (input: {
    readonly caller: CallerOf<Rule>
    readonly params: z.output<Params>
    readonly query: z.output<Query>
    readonly body: z.output<Body>
    readonly format: string
    /** The unread body of a route with a `stream`. */
    readonly stream: ReadableStream<Uint8Array>
    /** The content length of `stream`. */
    readonly length: number
    /** The `Idempotency-Key` header. Requests with the same key take effect only once. */
    readonly idempotencyKey: string | undefined
    readonly clientAddress: string | undefined
    readonly audit: (
      event: Pick<RequestEvent, 'action' | 'object' | 'before' | 'after'>,
    ) => Promise<void>
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
      // Even a rejected webhook is stored, so no webhook is handled while the service is read-only.
      if (frame.isReadOnly && spec.caller.kind === 'webhook') throw readOnly()
      const admitted = withRequest(await admit(frame, spec, context), requestId)
      const caller = admitted !== undefined && 'kind' in admitted ? admitted : undefined
      let limits = caller === undefined ? {} : countRequest(frame, spec, { caller, click })
      if (spec.method !== 'GET') click?.recordChange()
      try {
        if (frame.isReadOnly && spec.method !== 'GET') throw readOnly()
        if (isArchived(admitted) && rejectsArchived(spec)) throw archived()
        if (admitted !== undefined && 'tenant' in admitted && spec.limit !== undefined)
          limits = joinHeaders(limits, await frame.countAction(admitted.tenant, spec.limit))
        const answer = async () =>
          handle({
            format: chooseFormat(request.headers.get('accept'), formats),
            params: parseParams(spec.params, context.params),
            query: parseQuery(query, new URL(request.url).search) as z.output<Query>,
            body: (spec.body &&
              (await parseBody(request, { ...spec, body: spec.body, bytesMax }))) as z.output<Body>,
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
        await auditExport(frame, spec, { caller, request, clientAddress, requestId })
        const response = replyOf(spec, result, click?.takesValues)
        for (const [name, value] of Object.entries(limits)) response.headers.set(name, value)
        return response
      } catch (error) {
        // A rejected request also counts toward the limits, so its response has their headers.
        throw asProblem(error).with(limits)
      }
    },
  }
}

const countRequest = (
  frame: Frame,
  route: Pick<RouteDescription, 'method' | 'caller'>,
  { caller, click }: { readonly caller: Admitted; readonly click: Click | undefined },
) => click?.count(frame, caller, route) ?? frame.countRequest(caller, route.caller)

function readOnly(): Problem {
  return new Problem(
    'unavailable',
    'The service is read-only at the moment. Please try again later.',
    {
      headers: { 'retry-after': '60' },
    },
  )
}

/** Adds the request id to a caller that can be the actor in the audit log. */
function withRequest<Known extends object>(caller: Known | undefined, requestId: string) {
  return caller !== undefined && 'actor' in caller ? { ...caller, requestId } : caller
}

const PROJECT_CALLERS = ['adminKey', 'deployToken', 'member', 'webhook']

/**
 * Returns whether the route rejects archived projects. In an archived project, data can be read but
 * not added. Data can still be deleted, because keys may leak and readers may ask for deletion
 * there too.
 */
export const rejectsArchived = (
  route: Pick<RouteDescription, 'method' | 'caller' | 'worksArchived'>,
): boolean =>
  PROJECT_CALLERS.includes(route.caller.kind) &&
  route.method !== 'GET' &&
  route.method !== 'DELETE' &&
  route.worksArchived !== true

function archived(): Problem {
  return new Problem(
    'archived',
    'The project is archived. It can be read and exported, but not changed. An admin can restore it in its settings.',
  )
}

const isArchived = (admitted: Awaited<ReturnType<typeof admit>>) =>
  admitted !== undefined && 'isArchived' in admitted && admitted.isArchived

async function admit(
  frame: Frame,
  { caller: rule }: Pick<RouteDescription, 'caller'>,
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
  // A key of another project gets the same response as for a project that does not exist, because a
  // difference would reveal which projects exist. A path without a project refers to the key's
  // project.
  if ('projectId' in params && caller.projectPublicId !== params.projectId) throw noSuchProject()
  if (rule.kind === 'adminKey' && caller.kind !== 'admin')
    throw new Problem('forbidden', 'An admin key is required.')
  if (!hasScope(caller.scopes, rule.scope))
    throw new Problem('forbidden', `This API key does not have the scope \`${rule.scope}\`.`)
  return caller
}

/** Checks a person's access. Without a role, the project or organization is reported as missing. */
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
      'You would not be able to sign in again after this session ends. Open /keep-access in a browser and add a passkey or recovery codes first.',
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
      ? `You have the role \`${role}\` only in this project. The scope \`${wanted}\` requires that role in the organization: ask one of its owners.`
      : `The role \`${role}\` does not have the scope \`${wanted}\`.`,
  )
}

function replyOf(
  { reply, status = 200 }: Pick<RouteDescription, 'reply' | 'status'>,
  result: unknown,
  takesValues = false,
): Response {
  if (result instanceof Response) return result
  if (reply === undefined) return new Response(null, { status: 204 })
  const value = reply.parse(result)
  return takesValues ? valueResponse(value, status) : Response.json(value, { status })
}

function noSuchProject(): Problem {
  return new Problem('not-found', 'The project does not exist.')
}
