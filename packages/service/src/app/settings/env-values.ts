/** Values of the environment that are lists, keys or names; `env.ts` reads the rest. */
import { isIP } from 'node:net'
import { parseHostName } from '@octavo/outbound'
import { z } from 'zod'
import { KEY_BYTES, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { type Issuer, PUBLIC_ISSUERS } from '../../projects/ci-jobs/verify-job-token.ts'
import { findKeyProblem } from '../../publishing/providers/github-app.ts'

/** The last port. */
const PORT_MAX = 65_535

/** A whole number in digits alone, so that `1e3`, ` ` and `0x10` are mistakes. */
export function wholeNumber(
  name: string,
  { min, max, example }: { readonly min: number; readonly max?: number; readonly example: number },
) {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`
  const error = `${name} is a whole number ${range}, such as ${example}.`
  return z
    .string({ error })
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER), { error })
}

export const port = (name: string, example: number) =>
  wholeNumber(name, { min: 0, max: PORT_MAX, example })

export const yesOrNo = (name: string) => z.stringbool({ error: `${name} is true or false.` })

/** Any text but an empty one; `what` says what it is, with an example. */
export const filled = (name: string, what: string) => {
  const error = `${name} is ${what}.`
  return z.string({ error }).min(1, { error })
}

export const httpUrl = (name: string, what: string) =>
  z.url({ protocol: /^https?$/, error: `${name} is ${what}.` })

/** Empty would mean every address of the machine. */
export const listenHost = (name: string) =>
  z.string().regex(/^[\w.:-]+$/, {
    error: `${name} is the address to listen on, such as 127.0.0.1 or 0.0.0.0.`,
  })

export function readNetworks(text: string, context: z.RefinementCtx): readonly string[] {
  const networks = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong === undefined) return networks
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_TRUSTED_PROXIES: "${wrong}" is not a network or an IP address, such as 10.0.0.0/8 or 192.0.2.1.`,
  })
  return z.NEVER
}

function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** A key in an environment variable often has `\\n` for its line ends. */
export function readAppKey(text: string, context: z.RefinementCtx): string {
  const key = text.replaceAll('\\n', '\n')
  const problem = findKeyProblem(key)
  if (problem === undefined) return key
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_GITHUB_APP_KEY is not the key of a GitHub App: ${problem}. It is the text of the file that GitHub downloads, such as -----BEGIN RSA PRIVATE KEY-----….`,
  })
  return z.NEVER
}

export function readHosts(text: string, context: z.RefinementCtx): readonly string[] {
  const hosts = text.split(/[\s,]+/).filter((part) => part !== '')
  const wrong = hosts.find((host) => parseHostName(host) === undefined)
  if (wrong === undefined) return hosts
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_ALLOW_PRIVATE_HOSTS: "${wrong}" is not a host, such as api.internal or 10.0.0.5.`,
  })
  return z.NEVER
}

const DNS_SERVER = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^[\]:]+))(?::\d{1,5})?$/

export function readDnsServers(text: string, context: z.RefinementCtx): readonly string[] {
  const servers = text.split(/[\s,]+/).filter((part) => part !== '')
  const wrong = servers.find((server) => {
    const { bracketed, plain = server } = DNS_SERVER.exec(server)?.groups ?? {}
    return isIP(bracketed ?? plain) === 0
  })
  if (wrong === undefined) return servers
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_DNS_SERVERS: "${wrong}" is not the IP address of a DNS server, such as 1.1.1.1 or 10.0.0.5:5353.`,
  })
  return z.NEVER
}

export function readIssuers(text: string, context: z.RefinementCtx): readonly Issuer[] {
  const issuers = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', url = ''] = /^([a-z][\w-]{0,31})=(https?:\/\/\S+?)\/?$/i.exec(part) ?? []
      return { name, url }
    })
  const names = [...PUBLIC_ISSUERS, ...issuers].map(({ name }) => name)
  const isRight = issuers.every(({ url }) => URL.canParse(url))
  if (isRight && new Set(names).size === names.length) return issuers
  context.addIssue({
    code: 'custom',
    message:
      'OCTAVO_OIDC_ISSUERS is a list of names and URLs, such as work=https://gitlab.example.com. The names github and gitlab are taken.',
  })
  return z.NEVER
}

const PEPPER_LENGTH_MIN = 32

export const KEY_PEPPER = z
  .string({ error: 'Missing OCTAVO_KEY_PEPPER. Generate one with: openssl rand -base64 32' })
  .min(PEPPER_LENGTH_MIN, {
    error:
      'OCTAVO_KEY_PEPPER needs at least 32 characters. Generate one with: openssl rand -base64 32',
  })

/** Names the place of a wrong one, and never its text. */
export function readOldPeppers(text: string, context: z.RefinementCtx): readonly string[] {
  const peppers = text.split(/[\s,]+/).filter((part) => part !== '')
  const wrong = peppers.findIndex(({ length }) => length < PEPPER_LENGTH_MIN)
  if (wrong === -1) return peppers
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_OLD_KEY_PEPPERS: number ${wrong + 1} has fewer than ${PEPPER_LENGTH_MIN} characters. It is a list of earlier values of OCTAVO_KEY_PEPPER, separated by commas or spaces, such as <value>,<value before it>.`,
  })
  return z.NEVER
}

export function readSecretKeys(text: string, context: z.RefinementCtx): readonly SecretKey[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '')
  const keys = parts.map((part) => {
    const [, id = '', base64 = ''] = /^([\w-]{1,32}):([\w+/]+={0,2})$/.exec(part) ?? []
    return { id, bytes: Buffer.from(base64, 'base64') }
  })
  const isRight = keys.every(({ id, bytes }) => id !== '' && bytes.length === KEY_BYTES)
  if (isRight && new Set(keys.map(({ id }) => id)).size === keys.length) return keys
  context.addIssue({
    code: 'custom',
    message:
      'OCTAVO_SECRET_KEYS must be a list of keys with different names, such as `2026:<32 bytes in base64>`. Generate one with: echo "1:$(openssl rand -base64 32)"',
  })
  return z.NEVER
}
