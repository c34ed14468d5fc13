import type { Environment } from './inputs.ts'

type Comment = {
  readonly id: number
  readonly body?: string | null
  readonly user?: { readonly type?: string } | null
}

type Target = {
  readonly env: Environment
  readonly token: string
  readonly pullRequest: number
  /** The first line of the comment, by which the next run finds it. */
  readonly marker: string
}

const PAGES_MAX = 20
const REQUEST_MS_MAX = 30_000

/** Writes the comment, or replaces the one of an earlier run. Returns why it could not. */
export async function writeComment(target: Target, body: string): Promise<string | undefined> {
  const { env, pullRequest, marker } = target
  const issues = `/repos/${env.GITHUB_REPOSITORY}/issues`
  try {
    const earlier = await findComment(target, `${issues}/${pullRequest}/comments`)
    const text = { body: `${marker}\n${body}` }
    if (earlier === undefined) await call(target, 'POST', `${issues}/${pullRequest}/comments`, text)
    else await call(target, 'PATCH', `${issues}/comments/${earlier.id}`, text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A person can copy the marker into a comment of their own, so only comments of bots count. */
async function findComment(target: Target, path: string): Promise<Comment | undefined> {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const comments = (await call(target, 'GET', `${path}?per_page=100&page=${page}`)) as Comment[]
    const own = comments.find(
      ({ body, user }) => user?.type === 'Bot' && body?.startsWith(`${target.marker}\n`),
    )
    if (own !== undefined || comments.length < 100) return own
  }
  return undefined
}

async function call(
  { env, token }: Target,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${env.GITHUB_API_URL ?? 'https://api.github.com'}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_MS_MAX),
  })
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`)
  return response.json()
}
