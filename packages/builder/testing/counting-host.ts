/** A test host that adds the service's script to pages and records the events that pages send. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENTS_PATH, HOST_SCRIPT_PATH, type SiteEvent } from '@octavo/model'
import { loadHostScripts } from '../src/scripts/host-scripts.ts'

export type CountingHost = {
  readonly received: SiteEvent[]
  /** Sizes and content types of the requests that contain events. */
  readonly requests: { readonly bytes: number; readonly type: string | undefined }[]
  /** Sets the status of all further responses. */
  readonly reply: (status: number) => void
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

const FEEDBACK = /\/_octavo\/assistant\/feedback-[\da-f]{12}-([\w-]+)\.js$/

export async function createCountingHost(basePath = ''): Promise<CountingHost> {
  const { listener, feedback } = await loadHostScripts()
  const received: SiteEvent[] = []
  const requests: CountingHost['requests'][number][] = []
  let status = 204
  const respondWithScript = (response: ServerResponse, code: string) => {
    response.setHeader('content-type', 'text/javascript; charset=utf-8')
    response.end(code)
    return true
  }
  return {
    received,
    requests,
    reply: (next) => {
      status = next
    },
    answer: (request, response) => {
      const { url = '', method } = request
      if (url === `${basePath}/${HOST_SCRIPT_PATH}`) return respondWithScript(response, listener)
      const [, language] = FEEDBACK.exec(url) ?? []
      if (language !== undefined) return respondWithScript(response, feedback(language))
      if (url !== basePath + EVENTS_PATH || method !== 'POST') {
        // The files are stored without the base path.
        if (url.startsWith(`${basePath}/`)) request.url = url.slice(basePath.length)
        return false
      }
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        requests.push({ bytes: body.length, type: request.headers['content-type'] })
        received.push(JSON.parse(body.toString()) as SiteEvent)
        response.writeHead(status).end()
      })
      return true
    },
  }
}
