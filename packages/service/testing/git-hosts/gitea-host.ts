/** A fake Gitea with the API that the service uses. It is served below a path. */
import {
  createComments,
  type HostRequest,
  type HostResponse,
  notFound,
  pageOf,
  startHostServer,
} from './host-server.ts'

export const GITEA_USER = 701
const ROOT = '/git'

type Options = {
  readonly repository: string
  readonly token: string
  readonly pulls?: readonly object[]
}

export async function startGiteaHost({ repository, token, pulls = [] }: Options) {
  const base = `${ROOT}/api/v1/repos/${repository}`
  const comments = createComments(100)
  const statuses: (Record<string, unknown> & { readonly sha: string })[] = []

  const show = ({ id, author, body }: { id: number; author: number; body: string }) => ({
    id,
    body,
    user: { id: author },
  })

  function answer(request: HostRequest): HostResponse {
    const { method, path, query, headers, body } = request
    if (headers.authorization !== `token ${token}`)
      return { status: 401, body: { message: 'invalid username, password or token' } }
    if (path === `${ROOT}/api/v1/user`) return { status: 200, body: { id: GITEA_USER } }
    if (!path.startsWith(base)) return notFound("The target couldn't be found.")
    const rest = path.slice(base.length)
    const [, sha] = /^\/statuses\/(\w+)$/.exec(rest) ?? []
    if (method === 'POST' && sha !== undefined) {
      if (!['pending', 'success', 'error', 'failure', 'warning'].includes(body.state))
        return { status: 422, body: { message: 'invalid state' } }
      statuses.push({ sha, ...body })
      return { status: 201, body: { id: statuses.length } }
    }
    if (rest === '/pulls' && query.get('state') === 'open') return pageOf(pulls, request, 'limit')
    const [, index] = /^\/issues\/(\d+)\/comments$/.exec(rest) ?? []
    if (index !== undefined && method === 'GET')
      return { status: 200, body: comments.of(Number(index)).map(show) }
    if (index !== undefined && method === 'POST')
      return { status: 201, body: show(comments.add(Number(index), GITEA_USER, body.body)) }
    const [, id] = /^\/issues\/comments\/(\d+)$/.exec(rest) ?? []
    const edited = method === 'PATCH' ? comments.edit(Number(id), body.body) : undefined
    return edited === undefined ? notFound() : { status: 200, body: show(edited) }
  }

  const host = await startHostServer(answer)
  return { ...host, comments, statuses, repositoryUrl: `${host.url}${ROOT}/${repository}.git` }
}

export const giteaPull = (number: number, headRepository = 1) => ({
  number,
  html_url: `https://gitea.example.com/acme/docs/pulls/${number}`,
  head: {
    sha: String(number).padStart(40, '0'),
    ref: `topic-${number}`,
    repo_id: headRepository,
  },
  base: { ref: 'main', repo_id: 1 },
})
