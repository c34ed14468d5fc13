/** A fake GitLab with the API that the service uses. */
import {
  createComments,
  type HostRequest,
  type HostResponse,
  notFound,
  pageOf,
  startHostServer,
} from './host-server.ts'

export const GITLAB_USER = 601

type Options = {
  /** The repository in the form `group/subgroup/name`. */
  readonly repository: string
  readonly token: string
  readonly mergeRequests?: readonly object[]
}

type Status = Record<string, unknown> & { readonly sha: string; readonly name: string }

export async function startGitLabHost({ repository, token, mergeRequests = [] }: Options) {
  const base = `/api/v4/projects/${encodeURIComponent(repository)}`
  const comments = createComments(3_000)
  const statuses: Status[] = []

  const show = ({ id, author, body }: { id: number; author: number; body: string }) => ({
    id,
    body,
    author: { id: author },
    system: false,
  })

  function setStatus(sha: string, body: Record<string, string>): HostResponse {
    const { name = '', state = '' } = body
    const known = ['pending', 'running', 'success', 'failed', 'canceled']
    if (!known.includes(state))
      return { status: 400, body: { error: 'state does not have a valid value' } }
    const open = statuses.findLast((one) => one.sha === sha && one.name === name)
    const isOpen = open?.state === 'pending' || open?.state === 'running'
    if (isOpen && state === 'pending')
      return {
        status: 400,
        body: {
          message: `Cannot transition status via :enqueue from :${open?.state} (Reason(s): Status cannot transition via "enqueue")`,
        },
      }
    if (open !== undefined && isOpen) Object.assign(open, body)
    else statuses.push({ sha, name, ...body })
    return { status: 201, body: { id: statuses.length, status: state } }
  }

  function answer(request: HostRequest): HostResponse {
    const { method, path, query, headers, body } = request
    if (headers.authorization !== `Bearer ${token}`)
      return { status: 401, body: { message: '401 Unauthorized' } }
    if (path === '/api/v4/user') return { status: 200, body: { id: GITLAB_USER } }
    if (!path.startsWith(base)) return notFound('404 Project Not Found')
    const rest = path.slice(base.length)
    const [, sha] = /^\/statuses\/(\w+)$/.exec(rest) ?? []
    if (method === 'POST' && sha !== undefined) return setStatus(sha, body)
    if (rest === '/merge_requests' && query.get('state') === 'opened')
      return pageOf(mergeRequests, request, 'per_page')
    const [, iid, id] = /^\/merge_requests\/(\d+)\/notes(?:\/(\d+))?$/.exec(rest) ?? []
    if (iid === undefined) return notFound()
    if (method === 'GET') return pageOf(comments.of(Number(iid)).map(show), request, 'per_page')
    if (method === 'POST')
      return { status: 201, body: show(comments.add(Number(iid), GITLAB_USER, body.body)) }
    const edited = comments.edit(Number(id), body.body)
    return method === 'PUT' && edited !== undefined
      ? { status: 200, body: show(edited) }
      : notFound('404 Not found')
  }

  const host = await startHostServer(answer)
  return { ...host, comments, statuses, repositoryUrl: `${host.url}/${repository}.git` }
}

export const mergeRequest = (iid: number, sourceProject: number | null = 1) => ({
  iid,
  web_url: `https://gitlab.example.com/acme/docs/-/merge_requests/${iid}`,
  sha: String(iid).padStart(40, '0'),
  source_branch: `topic-${iid}`,
  target_branch: 'main',
  source_project_id: sourceProject,
  target_project_id: 1,
})
