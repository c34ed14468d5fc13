/** The code that all fake Git hosts share: a server, its recorded requests, and planned faults. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type HostRequest = {
  readonly method: string
  /** The path of the URL without its query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which body it expects.
  readonly body: any
}

export type HostResponse = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. A string is sent unchanged. */
  readonly body?: unknown
  readonly delayMs?: number
}

/** A response that replaces the host's own for matching requests, once or `times` times. */
export type Fault = HostResponse & {
  readonly when?: (request: HostRequest) => boolean
  readonly times?: number
}

export type HostServer = {
  readonly url: string
  /** All requests in the order of their arrival. */
  readonly requests: HostRequest[]
  /** Returns all requests with a method other than `GET`. */
  readonly writes: () => readonly HostRequest[]
  readonly plan: (...faults: readonly Fault[]) => void
  readonly stop: () => void
}

export async function startHostServer(
  answer: (request: HostRequest) => HostResponse | Promise<HostResponse>,
): Promise<HostServer> {
  const requests: HostRequest[] = []
  let faults: Fault[] = []

  function takeFault(request: HostRequest): Fault | undefined {
    const fault = faults.find(({ when = () => true }) => when(request))
    if (fault === undefined) return undefined
    const left = (fault.times ?? 1) - 1
    faults = faults.flatMap((one) => {
      if (one !== fault) return [one]
      return left > 0 ? [{ ...fault, times: left }] : []
    })
    return fault
  }

  const server = createServer(async (message, response) => {
    const pieces: Buffer[] = []
    for await (const piece of message) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://host')
    const request: HostRequest = {
      method: message.method ?? '',
      path: pathname,
      query: searchParams,
      headers: message.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    requests.push(request)
    const reply = takeFault(request) ?? (await answer(request))
    if (reply.delayMs !== undefined) await sleep(reply.delayMs)
    const isText = typeof reply.body === 'string'
    response.writeHead(reply.status, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...reply.headers,
    })
    response.end(isText ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    writes: () => requests.filter(({ method }) => method !== 'GET'),
    plan: (...more) => {
      faults = [...faults, ...more]
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const notFound = (message = 'Not Found'): HostResponse => ({
  status: 404,
  body: { message },
})

/** Returns one page of a list, with a `link` header if there are more pages. */
export function pageOf(
  items: readonly unknown[],
  { path, query }: HostRequest,
  sizeName: 'per_page' | 'limit',
): HostResponse {
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get(sizeName) ?? 30)
  const hasNext = items.length > page * size
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size),
    headers: hasNext ? { link: `<http://elsewhere${path}?page=${page + 1}>; rel="next"` } : {},
  }
}

export type HostComment = { readonly id: number; readonly author: number; body: string }

/** Stores the comments on all pull requests of a host. */
export function createComments(firstId: number) {
  const comments = new Map<number, HostComment[]>()
  let lastId = firstId
  const all = () => [...comments.values()].flat()
  return {
    of: (pull: number) => comments.get(pull) ?? [],
    add(pull: number, author: number, body: string): HostComment {
      lastId += 1
      const comment = { id: lastId, author, body }
      comments.set(pull, [...(comments.get(pull) ?? []), comment])
      return comment
    },
    edit(id: number, body: string): HostComment | undefined {
      const comment = all().find((one) => one.id === id)
      if (comment !== undefined) comment.body = body
      return comment
    },
    remove(id: number): void {
      for (const [pull, list] of comments)
        comments.set(
          pull,
          list.filter((one) => one.id !== id),
        )
    },
  }
}
