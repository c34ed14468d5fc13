/**
 * A Git host on loopback. It serves repositories with `git http-backend`, and the GitHub API at the
 * same address.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { request as forward } from 'node:http'
import { join } from 'node:path'
import { startGitHubHost } from './git-hosts/github-host.ts'
import { startGitServer } from './git-server.ts'
import { createTrialRepository } from './trial-repository.ts'

export async function startGitHost(root: string, token: string) {
  mkdirSync(join(root, 'acme'), { recursive: true })
  const repository = createTrialRepository(root, 'acme/docs.git')
  const pulls: object[] = []
  const api = await startGitHubHost({ repository: 'acme/docs', token, pulls })
  const server = await startGitServer(root)
  server.credential = `x-access-token:${token}`
  server.intercept = (incoming, response) => {
    if (!incoming.url?.startsWith('/api/')) return false
    const { method, url, headers } = incoming
    const sent = forward(new URL(url, api.url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
    return true
  }
  const url = `${server.url}/acme/docs.git`
  return {
    url,
    repository,
    api,
    pulls,
    /** Opens a pull request from a fork, or updates the commit of an existing one. */
    pullFromFork(number: number, commit: string): void {
      repository.git(['update-ref', `refs/pull/${number}/head`, commit])
      const pull = {
        number,
        html_url: `${server.url}/acme/docs/pull/${number}`,
        head: { sha: commit, ref: 'patch-1', repo: { id: 2, full_name: 'stranger/docs' } },
        base: { ref: 'main', repo: { id: 1, full_name: 'acme/docs' } },
      }
      pulls.splice(0, pulls.length, pull)
    },
    /** Sends a webhook in the same way as GitHub. */
    async tell(
      hook: { readonly url: string; readonly secret: string },
      event: string,
      payload: object,
    ) {
      const body = JSON.stringify(payload)
      const signature = createHmac('sha256', hook.secret).update(body).digest('hex')
      const { status } = await fetch(hook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
      })
      return status
    },
    close() {
      server.close()
      api.stop()
    },
  }
}
