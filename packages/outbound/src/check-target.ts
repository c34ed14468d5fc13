/**
 * Checks whether a URL may be requested. A host name is resolved once, and the caller connects only
 * to the checked addresses, which prevents DNS rebinding.
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { parseHostName } from './host-name.ts'
import type { OutboundFailure } from './outbound-outcome.ts'
import { isPublicAddress } from './public-address.ts'

/** Resolves a host name to all its addresses. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>

export type TargetRules = {
  /** Hosts that may resolve to private addresses, as written in a URL. */
  readonly allowPrivateHosts: readonly string[]
  readonly resolve: ResolveHost
  readonly signal: AbortSignal
  /**
   * Allowed ports of public hosts, as in a URL: an empty string is the default port of the scheme.
   * If omitted, the usual ports of web servers are allowed.
   */
  readonly ports?: ReadonlySet<string>
}

type CheckedTarget = {
  readonly kind: 'checked'
  readonly addresses: readonly LookupAddress[]
}

const PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

export const systemResolve: ResolveHost = (host) => lookup(host, { all: true })

export async function checkTarget(
  url: URL,
  { allowPrivateHosts, resolve, signal, ports = PORTS }: TargetRules,
): Promise<CheckedTarget | OutboundFailure> {
  const refused = { kind: 'refused', url: url.href } as const
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ...refused, reason: 'scheme' }
  if (url.username !== '' || url.password !== '') return { ...refused, reason: 'userinfo' }
  const isNamed = allowPrivateHosts.some((host) => parseHostName(host) === url.hostname)
  const found = await addressesOf(url, resolve, signal)
  if (found.kind !== 'checked' || isNamed) return found
  // All addresses must be public: a single private one makes the host name suspicious.
  const isPublic = found.addresses.every(({ address }) => isPublicAddress(address))
  if (!isPublic) return { ...refused, reason: 'address' }
  return ports.has(url.port) ? found : { ...refused, reason: 'port' }
}

async function addressesOf(
  url: URL,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<CheckedTarget | OutboundFailure> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family > 0) return { kind: 'checked', addresses: [{ address: host, family }] }
  try {
    const addresses = await orAborted(resolve(host), signal)
    if (addresses.length > 0) return { kind: 'checked', addresses }
    return { kind: 'failed', url: url.href, reason: 'unknown-host' }
  } catch (error) {
    if (signal.aborted) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND') return { kind: 'failed', url: url.href, reason: 'unknown-host' }
    return { kind: 'failed', url: url.href, reason: 'dns', code }
  }
}

/** Rejects when the signal is aborted, since the system's lookup cannot be canceled. */
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
