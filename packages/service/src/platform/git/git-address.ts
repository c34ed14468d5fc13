/**
 * Parses a repository URL that a user typed. Returns the host that Git may connect to and the URL
 * to pass to Git.
 */
import { parseHostName } from '@octavo/outbound'
import type { GitFailure, GitRemote } from './git.ts'

export type GitAddress = {
  readonly kind: 'address'
  readonly protocol: 'https' | 'http' | 'ssh'
  /** The host as in `URL.hostname`. */
  readonly host: string
  readonly port: number
  /** The URL to pass to Git. It contains no credentials and cannot be mistaken for an option. */
  readonly url: string
}

const URL_LENGTH_MAX = 2_000
const DEFAULT_PORTS = { https: 443, http: 80, ssh: 22 } as const
const USER = /^\w[\w.-]*$/
/**
 * Matches `git@host:path`. Does not match a second colon after the host, because Git treats `ext::`
 * as a remote helper.
 */
const SCP_FORM = /^(?<user>[^@:/]+)@(?<host>\[[^\]/]+\]|[^@:/[\]]+):(?<path>[^:].*)$/

export function parseGitAddress(
  { url: text, credential }: GitRemote,
  allowPrivateHosts: readonly string[],
): GitAddress | GitFailure {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
  if (text.length > URL_LENGTH_MAX || /[\u0000-\u0020\u007f\\]/.test(text)) {
    return refused('The URL contains spaces, control characters or backslashes, or is too long.')
  }
  const address = text.includes('://') ? parseUrl(text) : parseScpForm(text)
  if (address.kind === 'failed') return address
  if (address.protocol === 'ssh') {
    if (credential.kind === 'token') {
      return refused('A token cannot be used with ssh. Use an https URL, or a deploy key.')
    }
    return address
  }
  if (credential.kind === 'ssh-key') {
    return refused('A deploy key needs an ssh URL, such as git@example.com:owner/repository.git.')
  }
  const isNamed = allowPrivateHosts.some((host) => parseHostName(host) === address.host)
  if (address.protocol === 'http' && credential.kind === 'token' && !isNamed) {
    return refused('A token is never sent over plain http. Use an https URL.')
  }
  return address
}

function parseUrl(text: string): GitAddress | GitFailure {
  const url = URL.parse(text)
  const protocol = url?.protocol.slice(0, -1)
  if (url === null || (protocol !== 'https' && protocol !== 'http' && protocol !== 'ssh')) {
    return refused('Only https, http and ssh URLs of repositories are allowed.')
  }
  const host = parseHostName(url.hostname)
  if (host === undefined || host.startsWith('-')) return refused('The URL has no valid host.')
  if (url.search !== '' || url.hash !== '') {
    return refused('The repository URL must not have a query or fragment.')
  }
  if (url.password !== '' || (protocol !== 'ssh' && url.username !== '')) {
    return refused('The URL must not contain a user name or password. Store a token instead.')
  }
  const user = url.username === '' ? 'git' : url.username
  if (!USER.test(user)) return refused('The user name in the URL is not valid.')
  const port = url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port)
  const userinfo = protocol === 'ssh' ? `${user}@` : ''
  const authority = url.port === '' ? host : `${host}:${url.port}`
  const whole = `${protocol}://${userinfo}${authority}${url.pathname}`
  return { kind: 'address', protocol, host, port, url: whole }
}

function parseScpForm(text: string): GitAddress | GitFailure {
  const { user = '', host: typed = '', path = '' } = SCP_FORM.exec(text)?.groups ?? {}
  const host = parseHostName(typed)
  if (!USER.test(user) || host === undefined || host.startsWith('-') || path.startsWith('-')) {
    return refused('Only https, http and ssh URLs of repositories are allowed.')
  }
  return { kind: 'address', protocol: 'ssh', host, port: 22, url: `${user}@${host}:${path}` }
}

function refused(message: string): GitFailure {
  return { kind: 'failed', code: 'refused', message, isFinal: true }
}
