/**
 * A fake GitHub Enterprise Server with the API that the service uses: statuses, checks, comments,
 * and the GitHub App.
 */
import { generateKeyPairSync } from 'node:crypto'
import { jwtVerify } from 'jose'
import { createGitHubPeople } from './github-people.ts'
import {
  createComments,
  type HostRequest,
  type HostResponse,
  notFound,
  pageOf,
  startHostServer,
} from './host-server.ts'

export const GITHUB_USER = 501
export const GITHUB_APP_ID = '31337'
const INSTALLATION = 4_242

type CheckRun = { readonly id: number; readonly head_sha: string; readonly name: string }

export type GitHubHostOptions = {
  /** The repository in the form `owner/name`. */
  readonly repository: string
  /** The access token of a user. */
  readonly token: string
  readonly pulls?: readonly object[]
  /** The clock of the host, used for tokens of the App. */
  readonly now?: () => number
}

/** The private key of the App in GitHub's format (PKCS #1). */
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
export const GITHUB_APP_KEY = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()

export async function startGitHubHost(options: GitHubHostOptions) {
  const { repository, token, now = Date.now } = options
  const [owner, name] = repository.split('/')
  const base = `/api/v3/repos/${repository}`
  const comments = createComments(9_000)
  const statuses: (Record<string, unknown> & { readonly sha: string })[] = []
  const checkRuns: (CheckRun & Record<string, unknown>)[] = []
  /** Maps the App's tokens to their expiry times. */
  const appTokens = new Map<string, number>()
  const state = { installed: true, suspended: false, tokenOwner: owner, isPrivate: false }
  const people = createGitHubPeople()

  const showComment = (comment: { id: number; author: number; body: string }) => ({
    id: comment.id,
    body: comment.body,
    user: { id: comment.author },
    performed_via_github_app: comment.author === 0 ? { id: Number(GITHUB_APP_ID) } : null,
  })

  async function answerApp({ method, path, headers, body }: HostRequest): Promise<HostResponse> {
    const jwt = (headers.authorization ?? '').replace('Bearer ', '')
    try {
      const { payload } = await jwtVerify(jwt, publicKey, {
        algorithms: ['RS256'],
        issuer: GITHUB_APP_ID,
        currentDate: new Date(now()),
      })
      if ((payload.exp ?? 0) - now() / 1_000 > 600)
        return { status: 401, body: { message: "'Expiration time' claim ('exp') is too far" } }
    } catch {
      return { status: 401, body: { message: 'A JSON web token could not be decoded' } }
    }
    if (path === '/api/v3/app')
      return { status: 200, body: { html_url: `${host.url}/github-apps/octavo-docs` } }
    if (method === 'GET' && path === `${base}/installation`)
      return state.installed
        ? {
            status: 200,
            body: {
              id: INSTALLATION,
              suspended_at: state.suspended ? '2026-11-01T00:00:00Z' : null,
            },
          }
        : notFound()
    if (path !== `/api/v3/app/installations/${INSTALLATION}/access_tokens` || !state.installed)
      return notFound()
    if (body.repositories?.[0] !== name)
      return {
        status: 422,
        body: { message: 'There is at least one repository that does not exist' },
      }
    const made = `ghs_${'canary'.repeat(5)}${appTokens.size}`
    const expires = now() + 3_600_000
    appTokens.set(made, expires)
    return {
      status: 201,
      body: {
        token: made,
        expires_at: new Date(expires).toISOString().replace(/\.\d+/, ''),
        permissions: body.permissions,
        repositories: [
          { id: 1, full_name: `${state.tokenOwner}/${name}`, private: state.isPrivate },
        ],
      },
    }
  }

  function answerApi(request: HostRequest): HostResponse {
    const { method, path, query, headers, body } = request
    const used = (headers.authorization ?? '').replace('Bearer ', '')
    const isApp = (appTokens.get(used) ?? 0) > now()
    if (used !== token && !isApp) return { status: 401, body: { message: 'Bad credentials' } }
    const author = isApp ? 0 : GITHUB_USER
    if (path === '/api/v3/user')
      return isApp
        ? { status: 403, body: { message: 'Resource not accessible by integration' } }
        : { status: 200, body: { id: GITHUB_USER, login: 'docs-bot' } }
    const rest = path.slice(base.length)
    if (!path.startsWith(base)) return notFound()
    const [, sha = ''] = /^\/statuses\/(\w+)$/.exec(rest) ?? []
    if (method === 'POST' && sha !== '') {
      if (isApp) return { status: 403, body: { message: 'Resource not accessible by integration' } }
      if (body.description.length > 140)
        return { status: 422, body: { message: 'Validation Failed' } }
      statuses.push({ sha, ...body })
      return { status: 201, body: { id: statuses.length } }
    }
    const [, commit = ''] = /^\/commits\/(\w+)\/check-runs$/.exec(rest) ?? []
    if (commit !== '') {
      const found = checkRuns.filter(
        (run) => run.head_sha === commit && run.name === query.get('check_name'),
      )
      return { status: 200, body: { total_count: found.length, check_runs: found } }
    }
    if (rest.startsWith('/check-runs')) {
      // Only apps may create checks.
      if (!isApp)
        return { status: 403, body: { message: 'You must authenticate via a GitHub App.' } }
      const [, id] = /^\/check-runs\/(\d+)$/.exec(rest) ?? []
      if (method === 'POST') checkRuns.push({ id: 70_000 + checkRuns.length, ...body })
      const run = id === undefined ? checkRuns.at(-1) : checkRuns.find((one) => `${one.id}` === id)
      if (run === undefined) return notFound()
      Object.assign(run, body)
      return { status: method === 'POST' ? 201 : 200, body: run }
    }
    const [, pull] = /^\/issues\/(\d+)\/comments$/.exec(rest) ?? []
    if (pull !== undefined && method === 'POST')
      return { status: 201, body: showComment(comments.add(Number(pull), author, body.body)) }
    if (pull !== undefined)
      return pageOf(comments.of(Number(pull)).map(showComment), request, 'per_page')
    const [, comment] = /^\/issues\/comments\/(\d+)$/.exec(rest) ?? []
    if (method === 'PATCH' && comment !== undefined) {
      const edited = comments.edit(Number(comment), body.body)
      return edited === undefined ? notFound() : { status: 200, body: showComment(edited) }
    }
    if (rest === '/pulls' && query.get('state') === 'open')
      return pageOf(options.pulls ?? [], request, 'per_page')
    return notFound()
  }

  const host = await startHostServer((request) => {
    const [, code] = /^\/api\/v3\/app-manifests\/(\w+)\/conversions$/.exec(request.path) ?? []
    if (code !== undefined)
      return code === 'goodcode'
        ? {
            status: 201,
            body: {
              id: Number(GITHUB_APP_ID),
              slug: 'octavo-docs',
              html_url: 'https://github.example.com/apps/octavo-docs',
              pem: GITHUB_APP_KEY,
              webhook_secret: 'whsecret-canary',
              client_id: 'Iv1.x',
              client_secret: 'client-canary',
            },
          }
        : notFound()
    const ofPeople = people.answer(request)
    if (ofPeople !== undefined) return ofPeople
    const isOfApp = /\/app(?:\/|$)|\/installation$/.test(request.path)
    return isOfApp ? answerApp(request) : answerApi(request)
  })
  return {
    ...host,
    state,
    people,
    comments,
    statuses,
    checkRuns,
    appTokens,
    installationId: String(INSTALLATION),
    repositoryUrl: `${host.url}/${repository}.git`,
  }
}

export const gitHubPull = (number: number, headRepository: number | null = 1) => ({
  number,
  html_url: `https://github.example.com/acme/docs/pull/${number}`,
  head: {
    sha: String(number).padStart(40, '0'),
    ref: `topic-${number}`,
    repo: headRepository === null ? null : { id: headRepository },
  },
  base: { ref: 'main', repo: { id: 1 } },
})
