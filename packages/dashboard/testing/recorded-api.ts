/** A fake API with sample responses, which records the changes. */
import type { DomainList, NoticesReply, ProjectList, Role } from '@octavo/contract'
import type { Api, Visit } from '../src/visit/visit.ts'
import { ASSETS } from './gate-pages.ts'
import { sampleAnalytics } from './sample-analytics.ts'
import { sampleDomains } from './sample-domains.ts'
import { PROJECT_ID } from './sample-facts.ts'
import { sampleNotices } from './sample-notices.ts'
import { sampleProjects } from './sample-projects.ts'
import { sampleReaderAccess } from './sample-reader-access.ts'
import { type Samples, sampleReplies } from './sample-replies.ts'
import { sampleSettings } from './sample-settings.ts'

type Call = {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
  readonly idempotencyKey: string | undefined
  readonly accept: string | undefined
}

export type RecordedApi = { readonly api: Api; readonly calls: Call[] }

export type ApiOptions = Partial<Samples> & {
  readonly role?: Role
  /** True if no reader has opened the site. */
  readonly isUnread?: boolean
  /** Responses by method and path, such as `GET /v1/me`, without the query. */
  readonly replies?: Readonly<Record<string, () => Response>>
}

export function recordApi({
  role = 'owner',
  hostile = '',
  isEmpty = false,
  isUnread = isEmpty,
  replies = {},
}: ApiOptions = {}): RecordedApi {
  const samples = {
    ...sampleReplies({ role, hostile, isEmpty }),
    notices: sampleNotices({ hostile, isEmpty }),
    domains: sampleDomains({ hostile, isEmpty }),
    ...sampleReaderAccess({ hostile, isEmpty }),
    ...sampleSettings({ hostile, isEmpty }),
    analytics: sampleAnalytics({ hostile, isEmpty: isUnread }),
    projectList: sampleProjects(hostile, isEmpty),
  }
  const calls: Call[] = []
  const api: Api = async (method, path, options = {}) => {
    const { body, idempotencyKey, accept } = options
    calls.push({ method, path, body, idempotencyKey, accept })
    const url = new URL(path, 'https://octavo.example')
    const { pathname } = url
    const own = replies[`${method} ${pathname}`]
    if (own !== undefined) return own()
    const data = answer(samples, method, url)
    if (data === undefined)
      return problemToResponse(404, { detail: `There is no ${method} ${pathname}.` })
    if (data === null) return new Response(null, { status: 204 })
    if (typeof data === 'string')
      return new Response(data, { headers: { 'content-type': 'application/x-ndjson' } })
    return Response.json(data)
  }
  return { api, calls }
}

export function problemToResponse(
  status: number,
  { detail = 'No.', ...rest }: { readonly detail?: string; readonly param?: string } = {},
): Response {
  const problem = { type: '/problems/x', title: 'Problem', status, code: 'x', detail, ...rest }
  return Response.json(
    { ...problem, requestId: 'req_1' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )
}

type Replies = ReturnType<typeof sampleReplies> &
  ReturnType<typeof sampleReaderAccess> &
  ReturnType<typeof sampleSettings> & {
    readonly notices: NoticesReply
    readonly domains: DomainList
    readonly analytics: ReturnType<typeof sampleAnalytics>
    readonly projectList: ProjectList
  }

function answer(
  samples: Replies,
  method: string,
  { pathname: path, searchParams }: URL,
): object | string | null | undefined {
  if (method === 'DELETE') return null
  if (path === '/v1/me') return samples.me
  if (path === '/v1/projects') return samples.projectList
  if (path === '/v1/me/sessions') return samples.sessions
  if (path === '/v1/me/passkeys') return samples.passkeys
  if (path.startsWith('/v1/organizations/')) return organizationAnswer(samples, path)
  const counted = `/v1/analytics/${PROJECT_ID}/`
  if (path.startsWith(counted))
    return method === 'GET'
      ? samples.analytics.read(path.slice(counted.length), searchParams)
      : samples.analytics.changed
  const prefix = `/v1/projects/${PROJECT_ID}`
  if (!path.startsWith(prefix)) return undefined
  const [, noun = '', id, part] = path.slice(prefix.length).split('/')
  return method === 'GET'
    ? readAnswer(samples, [noun, id, part])
    : changeAnswer(samples, method, [noun, id, part])
}

/** Returns the sample response for a path below an organization. */
function organizationAnswer(samples: Replies, path: string): object | null {
  if (path.endsWith('/projects')) return samples.createdProject
  if (path.endsWith('/audit')) return samples.audit
  if (path.endsWith('/usage')) return samples.organizationUsage
  return path.endsWith('/delete') ? null : samples.organization
}

type Parts = readonly [noun: string, id: string | undefined, part: string | undefined]

function readAnswer(samples: Replies, [noun, id, part]: Parts): object | string | undefined {
  switch (noun) {
    case '':
      return samples.project
    case 'overview':
      return samples.overview
    case 'deployments':
      if (id === undefined) return samples.deployments
      if (part === 'api-changes') return samples.apiChanges
      return part === 'diff' ? samples.diff : samples.deployment(id)
    case 'builds':
      if (id === undefined) return samples.builds
      if (part === 'log') return samples.log
      return part === 'diagnostics' ? samples.diagnostics : samples.build(id)
    case 'previews':
      return samples.previews
    case 'domains':
      return id === undefined ? samples.domains : samples.domains.domains[0]
    case 'conversations':
      if (id === 'categories') return { categories: ['How to', 'Reference'] }
      return id === undefined ? samples.conversations : samples.conversation
    case 'gaps':
      if (id === 'changes') return samples.gapChange
      return id === undefined ? samples.gaps : samples.gap
    case 'connection':
      return id === undefined ? samples.connection : samples.deliveries
    case 'keys':
      return samples.keys
    case 'members':
      if (id === undefined) return samples.members
      return samples.members.members.find((member) => member.id === id)
    case 'invitations':
      return samples.invitations
    case 'audit':
      return samples.audit
    case 'settings':
      return samples.settings
    case 'docs-settings':
      return samples.docsSettings
    case 'notifications':
      return samples.notices
    case 'access':
      return id === 'tokens' ? samples.readerTokens : samples.access
    case 'usage':
      return samples.usage
    case 'contents':
      return samples.contents
    case 'assistant':
      return samples.assistant
    default:
      return undefined
  }
}

function changeAnswer(
  samples: Replies,
  method: string,
  [noun, id]: Parts,
): object | null | undefined {
  switch (noun) {
    case 'keys':
      return samples.createdKey
    case 'members':
      return null
    case 'invitations':
      return samples.createdInvitation
    case 'deployments':
    case 'lock':
    case 'unlock':
      return samples.publication
    case 'builds':
      return samples.build(id ?? '')
    case 'previews':
    case 'archive':
    case 'restore':
    case 'transfer':
      return null
    case 'delete':
      return samples.deletedProject
    case 'domains':
      return samples.domains.domains[0]
    case 'gaps':
      return id === 'changes' ? samples.gapChange : samples.gap
    case 'settings':
      return samples.settings
    case 'webhook':
      return id === 'test' ? samples.webhookTest : samples.createdWebhook
    case 'notifications':
      return samples.notices
    case 'access':
      if (id === 'end-sessions') return null
      return id === 'tokens' ? samples.createdReaderToken : samples.access
    case 'assistant':
      return id === 'test' ? samples.testAnswer : samples.assistant
    case 'connection':
      if (id === 'check') return samples.connection
      return method === 'PUT' ? samples.connection : samples.createdConnection
    default:
      return undefined
  }
}

/** Form fields with one or several values. */
export type ScreenForm = Readonly<Record<string, string | readonly string[]>>

export const FORM_TOKEN = 'token-of-this-session'

export function visitOf(
  api: Api,
  path: string,
  {
    form,
    hostile = '',
    cookie,
  }: {
    readonly form?: ScreenForm
    readonly hostile?: string
    readonly cookie?: string
  } = {},
): Visit {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries({ token: FORM_TOKEN, ...form }))
    for (const one of [value].flat()) body.append(name, one)
  const headers = cookie === undefined ? {} : { headers: { cookie } }
  return {
    request: new Request(
      `https://octavo.greenhouse.example${path}`,
      form === undefined ? headers : { method: 'POST', body, ...headers },
    ),
    person: {
      id: 'usr_1',
      name: `Amara Okafor${hostile}`,
      email: 'amara@greenhouse.example',
      canSignInAgain: true,
    },
    formToken: FORM_TOKEN,
    assets: ASSETS,
    api,
  }
}
