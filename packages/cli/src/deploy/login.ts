/**
 * `octavo login`, `logout`, `whoami`: manage a user's session with a service, without an API key.
 */
import { hostname } from 'node:os'
import type { DeviceReply, DeviceTokenReply, Me, SessionList } from '@octavo/contract'
import { printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { credentialsFile, readCredential, writeCredential } from './credentials.ts'
import { DeployError } from './deploy-error.ts'

export type LoginOptions = { readonly service: URL; readonly json: boolean }

const REQUEST_MS_MAX = 30_000
const SLOW_DOWN_MS = 5_000

/** Shows a code and waits until the user has entered it in the browser and allowed access. */
export function login(world: CommandContext, { service }: LoginOptions): Promise<ExitCode> {
  return withErrorReport(world, async () => {
    const name = `octavo on ${hostname()}`.slice(0, 100)
    const deviceRequest = await call<DeviceReply>(service, 'POST', 'v1/device', { body: { name } })
    world.out.write(
      `Open ${printable(deviceRequest.verificationUrl)} in your browser and enter this code:\n\n  ${printable(deviceRequest.userCode)}\n\n`,
    )
    const token = await waitForApproval(world, service, deviceRequest)
    await writeCredential(world, service, token)
    const me = await call<Me>(service, 'GET', 'v1/me', { token })
    world.out.write(
      `You are signed in as ${printable(me.email)}. The session is kept in ${credentialsFile(world)}.\n`,
    )
    return EXIT.ok
  })
}

async function waitForApproval(
  { clock }: CommandContext,
  service: URL,
  { deviceCode, intervalSeconds, expiresInSeconds }: DeviceReply,
): Promise<string> {
  let waitMs = intervalSeconds * 1_000
  const end = clock.now() + expiresInSeconds * 1_000
  while (clock.now() < end) {
    await clock.sleep(waitMs)
    const { state, token } = await call<DeviceTokenReply>(service, 'POST', 'v1/device/token', {
      body: { deviceCode },
    })
    if (state === 'allowed' && token !== undefined) return token
    if (state === 'denied') throw new DeployError('The sign-in request was denied in the browser.')
    if (state === 'expired') break
    if (state === 'slow-down') waitMs += SLOW_DOWN_MS
  }
  throw new DeployError('The code has expired. Run `octavo login` again.')
}

/** Ends the session on the service too, so that a copied credentials file is useless. */
export function logout(world: CommandContext, { service }: LoginOptions): Promise<ExitCode> {
  return withErrorReport(world, async () => {
    const token = await readCredential(world, service)
    if (token === undefined) {
      world.out.write(`You are not signed in to ${service.origin}.\n`)
      return EXIT.ok
    }
    try {
      const { sessions } = await call<SessionList>(service, 'GET', 'v1/me/sessions', { token })
      const own = sessions.find(({ current }) => current)
      if (own !== undefined) await call(service, 'DELETE', `v1/me/sessions/${own.id}`, { token })
    } catch (error) {
      // The local session is removed even if it has already ended on the service.
      if (!(error instanceof SignedOutError)) throw error
    }
    await writeCredential(world, service, undefined)
    world.out.write(`You are signed out of ${service.origin}.\n`)
    return EXIT.ok
  })
}

export function whoami(world: CommandContext, { service, json }: LoginOptions): Promise<ExitCode> {
  return withErrorReport(world, async () => {
    const token = await readCredential(world, service)
    if (token === undefined)
      throw new DeployError(`You are not signed in to ${service.origin}. Run \`octavo login\`.`)
    const me = await call<Me>(service, 'GET', 'v1/me', { token })
    if (json) {
      world.out.write(`${JSON.stringify(me)}\n`)
      return EXIT.ok
    }
    world.out.write(`${printable(me.name)} <${printable(me.email)}>\n${printProjects(me)}`)
    return EXIT.ok
  })
}

/** Returns the list of projects for a command without --project; empty without a valid session. */
export async function listProjects(world: CommandContext, service: URL): Promise<string> {
  const token = await readCredential(world, service)
  if (token === undefined) return ''
  try {
    const lines = printProjects(await call<Me>(service, 'GET', 'v1/me', { token }))
    return lines === '' ? '' : `Your projects on ${service.origin}:\n${lines}`
  } catch (error) {
    if (error instanceof DeployError) return ''
    throw error
  }
}

function printProjects({ organizations }: Me): string {
  const lines = organizations.flatMap(({ name, projects }) =>
    projects.map(
      (project) =>
        `  ${project.id}  ${printable(project.name)}, ${project.role} (${printable(name)})\n`,
    ),
  )
  return lines.join('')
}

class SignedOutError extends DeployError {}

type Sent = { readonly token?: string; readonly body?: object }

async function call<Reply>(
  service: URL,
  method: string,
  path: string,
  { token, body }: Sent,
): Promise<Reply> {
  let response: Response
  try {
    response = await fetch(new URL(path, service), {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    })
  } catch {
    throw new DeployError(`Cannot reach ${service.href}.`)
  }
  const text = await response.text()
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as Reply
  if (response.status === 401)
    throw new SignedOutError('You are signed out. Run `octavo login` again.')
  throw new DeployError(
    detailOf(text) ?? `${service.origin} responded with status ${response.status}.`,
  )
}

function detailOf(text: string): string | undefined {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown }
    return typeof detail === 'string' ? printable(detail) : undefined
  } catch {
    return undefined
  }
}

async function withErrorReport(
  world: CommandContext,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeployError)) throw error
    world.err.write(`octavo: ${error.message}\n`)
    return EXIT.failed
  }
}
