/**
 * Finds the key to deploy with: OCTAVO_API_KEY, a short-lived token for this CI job's identity, or
 * the session of `octavo login`.
 */
import { printable } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { readCredential } from './credentials.ts'
import { DeployError } from './deploy-error.ts'
import { ServiceClient } from './service-client.ts'

type Target = { readonly service: URL; readonly project: string }

const REQUEST_MS_MAX = 30_000

/** Returns the key; undefined if there is no key, no CI identity and no session. */
export async function findApiKey(
  world: CommandContext,
  { service, project }: Target,
): Promise<string | undefined> {
  const apiKey = world.env.OCTAVO_API_KEY?.trim() ?? ''
  if (apiKey !== '') return apiKey
  const identity = await identityToken(world, service.origin)
  if (identity === undefined) return readCredential(world, service)
  const client = new ServiceClient(world, { service, project, apiKey: undefined })
  return (await client.exchange(identity)).token
}

/**
 * Returns the identity token of a CI job. GitLab puts it into a variable; GitHub issues it on
 * request to jobs with `id-token: write`.
 */
async function identityToken(
  { env }: CommandContext,
  audience: string,
): Promise<string | undefined> {
  const configured = env.OCTAVO_ID_TOKEN?.trim() ?? ''
  if (configured !== '') return configured
  const url = URL.parse(env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '')
  const token = env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? ''
  if (url === null || token === '') return undefined
  url.searchParams.set('audience', audience)
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { value } = (await response.json()) as { readonly value?: unknown }
    if (typeof value === 'string') return value
    throw new Error('the response has no token')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DeployError(`GitHub did not issue an identity token: ${printable(reason)}.`)
  }
}
