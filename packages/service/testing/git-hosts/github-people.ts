/**
 * Users of the fake GitHub, with their OAuth codes and the App installations that they can access.
 */
import { type HostRequest, type HostResponse, notFound, pageOf } from './host-server.ts'

export const GITHUB_CLIENT = { id: 'Iv1.test', secret: 'client-secret-canary' }

type Repository = { readonly name: string; readonly push: boolean }
type Installation = {
  readonly id: string
  readonly appId: string
  readonly suspended?: boolean
  readonly repositories: readonly Repository[]
}

export function createGitHubPeople() {
  /**
   * Maps each OAuth code to the installations that its user can access. A code can be used once.
   */
  const codes = new Map<string, readonly Installation[]>()
  const tokens = new Map<string, readonly Installation[]>()

  function exchange({ body }: HostRequest): HostResponse {
    const { client_id, client_secret, code, redirect_uri } = body
    if (client_id !== GITHUB_CLIENT.id || client_secret !== GITHUB_CLIENT.secret)
      return { status: 200, body: { error: 'incorrect_client_credentials' } }
    const installations = codes.get(code)
    if (installations === undefined || !redirect_uri.endsWith('/connect/github'))
      return { status: 200, body: { error: 'bad_verification_code' } }
    codes.delete(code)
    const token = `ghu_canary${tokens.size}`
    tokens.set(token, installations)
    return { status: 200, body: { access_token: token, token_type: 'bearer' } }
  }

  function list(request: HostRequest): HostResponse {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    const installations = tokens.get(token)
    if (installations === undefined) return { status: 401, body: { message: 'Bad credentials' } }
    const [, id] = /^\/api\/v3\/user\/installations\/(\d+)\/repositories$/.exec(request.path) ?? []
    if (id === undefined) {
      const items = installations.map((one) => ({
        id: Number(one.id),
        app_id: Number(one.appId),
        suspended_at: one.suspended ? '2026-11-01T00:00:00Z' : null,
      }))
      return wrap('installations', pageOf(items, request, 'per_page'))
    }
    const found = installations.find((one) => one.id === id)
    if (found === undefined) return notFound()
    const items = found.repositories.map(({ name, push }) => ({
      full_name: name,
      permissions: { push, pull: true },
    }))
    return wrap('repositories', pageOf(items, request, 'per_page'))
  }

  return {
    codes,
    /** Responds to requests for users; returns undefined for all others. */
    answer(request: HostRequest): HostResponse | undefined {
      if (request.path === '/login/oauth/access_token') return exchange(request)
      return request.path.startsWith('/api/v3/user/installations') ? list(request) : undefined
    },
  }
}

/** Wraps a list in an object as GitHub does, under the name of its items. */
const wrap = (name: string, reply: HostResponse): HostResponse => ({
  ...reply,
  body: { [name]: reply.body },
})
