/** Creates sites with an assistant, and sends the requests that a page sends for a reader. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { ModelSettings } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import type { Settings } from '../src/app/settings/env.ts'
import type { BlobStore } from '../src/platform/blobs/blob-store.ts'
import { openFolderStore } from '../src/platform/blobs/folder-store.ts'
import { builtSite } from './built-site.ts'
import { fastTempFolder } from './quick-folder.ts'
import { clientOf, type TestSite } from './test-deployment.ts'
import { startTestService, type TestProject, type TestService } from './test-service.ts'

export const GARDEN = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    navigation: { groups: [{ group: 'Care', pages: ['water', 'soil'] }] },
  }),
  'water.mdx':
    '---\ntitle: Water\n---\nPlants need water.\n\n## Hose\n\nTurn on the hose with `hose on` every morning.\n',
  'soil.mdx': '---\ntitle: Soil\n---\nMix compost into heavy soil before planting tomatoes.\n',
}

export async function startAssistantService(
  options: Partial<Settings> & { now?: () => number; blobStore?: BlobStore } = {},
) {
  const folder = mkdtempSync(join(fastTempFolder(), 'octavo-assistant-'))
  const service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
    ...options,
  })
  return {
    ...service,
    stop: async () => {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const modelAt = (url: string, more: Partial<ModelSettings> = {}): ModelSettings => ({
  format: 'openai',
  url,
  model: 'tiny',
  contextTokens: 8_000,
  hasTools: false,
  key: undefined,
  ...more,
})

let built: Promise<TestSite> | undefined
/** Builds the site once for all tests in this process. */
function builtGarden(): Promise<TestSite> {
  built ??= builtSite(GARDEN)
  return built
}

export type AssistantSite = Awaited<ReturnType<typeof newAssistantSite>>

/** Creates a project with a live site that has an assistant. */
export async function newAssistantSite(service: TestService, site?: TestSite, more: object = {}) {
  const project: TestProject = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const client = clientOf(service.url, project)
  const { id, body } = await client.deploy(site ?? (await builtGarden()), more)
  const { url } = body as { url?: string }
  const host = url === undefined ? `${row?.slug}.sites.localhost` : new URL(url).hostname
  return { project, client, host, deployment: id, ...readerOf(service.port, host) }
}

export type Reply = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export type AskOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly ticket?: string
  readonly body?: object
  readonly base?: string
}

/** Returns functions that send the same requests as a page of the site. */
export function readerOf(port: number, host: string) {
  async function open(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
  ) {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false })
    for (const [name, value] of Object.entries({ host, ...headers })) sent.setHeader(name, value)
    if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body))
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { sent, response }
  }

  async function call(...args: Parameters<typeof open>): Promise<Reply> {
    const { response } = await open(...args)
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    const { statusCode: status = 0, headers } = response
    return { status, headers, text: Buffer.concat(pieces).toString() }
  }

  const ticketReply = (base = '') => call('GET', `${base}/_octavo/assistant/ticket`)
  const ticket = async (base = ''): Promise<string> =>
    JSON.parse((await ticketReply(base)).text).ticket

  async function questionOf(text: string, options: AskOptions) {
    const { headers = {}, base = '' } = options
    const body = {
      id: 'thread-1',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
      ticket: options.ticket ?? (await ticket(base)),
      ...options.body,
    }
    return [
      'POST',
      `${base}/_octavo/assistant/messages`,
      {
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: JSON.stringify(body),
      },
    ] as const
  }

  return {
    open,
    call,
    ticket,
    ticketReply,
    ask: async (text: string, options: AskOptions = {}) =>
      call(...(await questionOf(text, options))),
    /** Asks a question, and returns as soon as the response starts. */
    begin: async (text: string, options: AskOptions = {}) =>
      open(...(await questionOf(text, options))),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows which parts it expects.
export type StreamPart = any

/** Returns the data of all events in a stream, without comments. */
export function partsOf({ text }: Pick<Reply, 'text'>): readonly StreamPart[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice(6))
    .map((data) => (data === '[DONE]' ? { type: '[DONE]' } : JSON.parse(data)))
}

export const outcomeOf = (reply: Pick<Reply, 'text'>) =>
  partsOf(reply).find(({ type }) => type === 'data-outcome')?.data
