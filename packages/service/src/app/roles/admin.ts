/** Serves health, readiness and metrics on a separate port, which only operators can reach. */
import { createServer, type Server } from 'node:http'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { ASK_PATH, type CertificateDecision } from '../../publishing/domains/answer-ask.ts'

export type AdminDeps = {
  readonly metrics: Metrics
  /** Returns why requests cannot be served now; undefined if they can. */
  readonly findProblem: () => Promise<string | undefined>
  /** Decides whether a proxy may order a certificate for a domain. */
  readonly decideCertificate: (url: string) => Promise<CertificateDecision>
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

export function createAdminServer({ metrics, findProblem, decideCertificate }: AdminDeps): Server {
  async function answer(path: string): Promise<readonly [status: number, text: string]> {
    if (path === '/healthz') return [200, 'ok\n']
    if (path === '/metrics') return [200, await metrics.print()]
    if (path === ASK_PATH || path.startsWith(`${ASK_PATH}?`)) return decideCertificate(path)
    if (path !== '/readyz')
      return [404, `Available: /healthz, /readyz, /metrics and ${ASK_PATH}.\n`]
    const problem = await findProblem()
    return problem === undefined ? [200, 'ok\n'] : [503, `${problem}\n`]
  }
  return createServer((request, response) => {
    answer(request.url ?? '').then(
      ([status, text]) => response.writeHead(status, TEXT).end(text),
      () => response.writeHead(500, TEXT).end('error\n'),
    )
  })
}
