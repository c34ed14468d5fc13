/** Values of the environment that are lists, keys or names; `env.ts` reads the rest. */
import { isIP } from 'node:net'
import { parseHostName } from '@octavo/outbound'
import { z } from 'zod'
import { type Issuer, PUBLIC_ISSUERS } from './oidc/verify-job-token.ts'
import { findKeyProblem } from './providers/github-app.ts'
import { KEY_BYTES, type SecretKey } from './secrets/key-ring.ts'

export function readNetworks(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`))
}

/** A key in an environment variable often has `\\n` for its line ends. */
export function readAppKey(text: string, context: z.RefinementCtx): string {
  const key = text.replaceAll('\\n', '\n')
  const problem = findKeyProblem(key)
  if (problem === undefined) return key
  context.addIssue({
    code: 'custom',
    message: `OCTAVO_GITHUB_APP_KEY is not the key of a GitHub App: ${problem}.`,
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
      'OCTAVO_SECRET_KEYS must be a list of keys with different names, such as `2026:<32 bytes in base64>`. Generate one with: openssl rand -base64 32',
  })
  return z.NEVER
}
