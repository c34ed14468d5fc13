import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Environment, Inputs } from './inputs.ts'

export type Counts = { readonly errors: number; readonly warnings: number; readonly notes: number }
export type Deployment = { readonly id: string; readonly state: string; readonly url?: string }

type Program = {
  readonly octavo: readonly string[]
  readonly env: Environment
  readonly write: (text: string) => unknown
}

const ANNOTATION = /^::(error|warning|notice) /

/** Only `deploy` gets the identity of the job, and nothing gets the token for comments. */
export function withoutSecrets(env: Environment): NodeJS.ProcessEnv {
  const { ACTION_GITHUB_TOKEN, ACTION_API_KEY, OCTAVO_API_KEY, ...rest } = env
  const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN, ...safe } = rest
  return safe
}

/** Runs `octavo check` and prints its problems as annotations. */
export async function runCheck(
  program: Program,
  { folder, strict }: Inputs,
): Promise<{ readonly status: number; readonly counts: Counts }> {
  const args = ['check', folder, '--format', 'github', ...(strict ? ['--strict'] : [])]
  const { status, out, err } = await runOctavo(program, args, withoutSecrets(program.env))
  const annotations = out.split('\n').filter((line) => ANNOTATION.test(line))
  program.write(annotations.map((line) => `${line}\n`).join(''))
  writeText(program, err)
  const count = (kind: string) => annotations.filter((line) => line.startsWith(`::${kind} `)).length
  const counts = { errors: count('error'), warnings: count('warning'), notes: count('notice') }
  return { status, counts }
}

/** Runs `octavo deploy`, which exchanges the identity token of the job for a deploy token. */
export async function runDeploy(
  program: Program,
  inputs: Inputs,
  isPreview: boolean,
): Promise<{ readonly status: number; readonly deployment: Deployment | undefined }> {
  const { folder, service = '', project = '', apiKey, proof } = inputs
  const args = ['deploy', folder, '--service', service, '--project', project, '--wait', '--json']
  const { ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = program.env
  const { status, out, err } = await runOctavo(
    program,
    [...args, ...(isPreview ? ['--preview'] : []), ...(proof ? ['--proof', proof] : [])],
    {
      ...withoutSecrets(program.env),
      ...(ACTIONS_ID_TOKEN_REQUEST_URL && { ACTIONS_ID_TOKEN_REQUEST_URL }),
      ...(ACTIONS_ID_TOKEN_REQUEST_TOKEN && { ACTIONS_ID_TOKEN_REQUEST_TOKEN }),
      ...(apiKey && { OCTAVO_API_KEY: apiKey }),
    },
  )
  const deployment = parseDeployment(out)
  writeText(program, deployment === undefined ? `${out}${err}` : err)
  return { status, deployment }
}

async function runOctavo(
  { octavo: [program = '', ...first], env }: Program,
  args: readonly string[],
  childEnv: NodeJS.ProcessEnv,
): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
  const child = spawn(program, [...first, ...args], {
    cwd: env.GITHUB_WORKSPACE ?? process.cwd(),
    env: childEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  const [status] = await once(child, 'close')
  return { status: typeof status === 'number' ? status : 1, ...texts }
}

/** Prints text in which GitHub obeys no workflow command: it can quote pages of a stranger. */
function writeText({ write }: Program, text: string): void {
  if (text.trim() === '') return
  const token = randomUUID()
  write(`::stop-commands::${token}\n${text.trimEnd()}\n::${token}::\n`)
}

/** The one line of `--json`; nothing if the deployment failed. */
function parseDeployment(out: string): Deployment | undefined {
  try {
    const { id, state, url } = JSON.parse(out) as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || typeof state !== 'string') return undefined
    const { protocol, href = '' } = URL.parse(typeof url === 'string' ? url : '') ?? {}
    return { id, state, ...(/^https?:$/.test(protocol ?? '') && { url: href }) }
  } catch {
    // The command printed no JSON, so it failed and said why on the other stream.
    return undefined
  }
}
