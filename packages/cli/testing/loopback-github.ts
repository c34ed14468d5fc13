/**
 * A local server with the parts of GitHub's API that the GitHub action uses, and a workflow job
 * with the action.
 */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runAction } from '../../../.github/action/run-action.ts'

type Comment = { readonly id: number; body: string; readonly user: { readonly type: string } }

const REPOSITORY = 'team/docs'
const TOKEN = 'of-the-job'
const CLI = join(import.meta.dirname, '../src/main.ts')
const COMMENTS = new RegExp(`^/repos/${REPOSITORY}/issues/7/comments$`)
const ONE_COMMENT = new RegExp(`^/repos/${REPOSITORY}/issues/comments/(\\d+)$`)

export class LoopbackGithub {
  readonly comments: Comment[] = []
  readonly requests: string[] = []
  /** True to reject writes, as GitHub does for a job from a fork. */
  isReadOnly = false
  url = ''
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      this.requests.push(`${method} ${url}`)
      const isKnown = headers.authorization === `Bearer ${TOKEN}`
      const [status, value] = isKnown ? this.#answer(method, url, chunks) : [401, {}]
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(value))
    })
  })

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(method: string, url: string, chunks: readonly Buffer[]): [number, unknown] {
    const { pathname, searchParams } = new URL(url, this.url)
    if (method === 'GET' && COMMENTS.test(pathname)) {
      const from = (Number(searchParams.get('page')) - 1) * 100
      return [200, this.comments.slice(from, from + 100)]
    }
    if (this.isReadOnly) return [403, { message: 'Resource not accessible by integration' }]
    const { body } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly body: string }
    if (method === 'POST' && COMMENTS.test(pathname)) {
      this.comments.push({ id: this.comments.length + 1, body, user: { type: 'Bot' } })
      return [201, this.comments.at(-1)]
    }
    const [, id] = ONE_COMMENT.exec(pathname) ?? []
    const comment = this.comments.find((one) => String(one.id) === id)
    if (method !== 'PATCH' || comment === undefined) return [404, {}]
    comment.body = body
    return [200, comment]
  }
}

export type JobOptions = {
  readonly github: LoopbackGithub
  readonly files: Readonly<Record<string, string>>
  readonly inputs?: Readonly<Record<string, string>>
  /** The repository of a pull request's head; undefined for a push. */
  readonly from?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the action as the GitHub runner does, with the CLI of this repository. */
export async function runJob({ github, files, inputs, from, env }: JobOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-job-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(`repository/docs/${path}`, text)
  const event =
    from === undefined ? {} : { pull_request: { number: 7, head: { repo: { full_name: from } } } }
  write('event.json', JSON.stringify(event))
  for (const name of ['summary', 'output']) write(name, '')
  let log = ''
  try {
    const code = await runAction({
      env: {
        ...process.env,
        GITHUB_WORKSPACE: join(folder, 'repository'),
        GITHUB_REPOSITORY: REPOSITORY,
        GITHUB_API_URL: github.url,
        GITHUB_EVENT_NAME: from === undefined ? 'push' : 'pull_request',
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
        GITHUB_REF_NAME: 'main',
        ...env,
        ...environmentOf({ 'github-token': TOKEN, ...inputs }),
      },
      write: (text) => {
        log += text
      },
      findOctavo: async () => [process.execPath, CLI],
    })
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { code, log, summary: read('summary'), output: read('output') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the variables that action.yml sets from its inputs and their defaults. */
function environmentOf(inputs: Readonly<Record<string, string>>): Record<string, string> {
  const all = {
    command: 'check',
    folder: 'docs',
    version: '0.1.0',
    strict: 'false',
    comment: 'true',
    ...inputs,
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [
      `ACTION_${name.toUpperCase().replaceAll('-', '_')}`,
      value,
    ]),
  )
}
