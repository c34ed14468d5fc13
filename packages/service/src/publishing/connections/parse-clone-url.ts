/**
 * Parses clone URLs; no other code does. Accepted URLs are passed to the `git` program, so Git and
 * SSH must not be able to read one as an option, another transport or credentials.
 */
import { parseHostName } from '@octavo/outbound'

export type CloneUrl = {
  readonly kind: 'url'
  /** The URL that is passed to Git. */
  readonly url: string
  readonly protocol: 'https' | 'http' | 'ssh'
  readonly host: string
  /** The path without surrounding slashes and without `.git`, such as `owner/name`. */
  readonly path: string
}

export type InvalidCloneUrl = { readonly kind: 'invalid'; readonly reason: string }

const LENGTH_MAX = 2_000
const USER = /^[A-Za-z\d_][\w.-]{0,63}$/
/**
 * Matches a name, an IPv4 address, or an IPv6 address in brackets. None of them starts with a
 * hyphen.
 */
const HOST = /^(?:[a-z\d_](?:[a-z\d._-]*[a-z\d_])?|\[[\da-f:.]+\])$/
/** Matches paths of characters without a special meaning in shells, URLs and terminals. */
const PATH = /^[\w.~+@%,=!()-]+(?:\/[\w.~+@%,=!()-]+)*$/
const SCP = /^([^@/:]+)@([^@/:[\]]+):(?!\/\/)(.*)$/

export function parseCloneUrl(text: string): CloneUrl | InvalidCloneUrl {
  if (text === '') return invalid('It is empty.')
  if (text.length > LENGTH_MAX) return invalid(`It is longer than ${LENGTH_MAX} characters.`)
  if (!/^[\x21-\x7e]+$/.test(text))
    return invalid('It has spaces, control characters or letters outside ASCII.')
  if (text.startsWith('-')) return invalid('It starts with a hyphen.')
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return parseScpForm(text)
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh')
    return invalid(`The scheme ${scheme}: is not supported. Use https or ssh.`)
  return parseWithScheme(text, scheme)
}

function parseWithScheme(text: string, protocol: CloneUrl['protocol']): CloneUrl | InvalidCloneUrl {
  // Reject backslashes first, because `URL` treats them as slashes.
  if (text.includes('\\')) return invalid('It has a backslash.')
  const url = URL.parse(text)
  if (url === null) return invalid('It is not a valid URL.')
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    return invalid('It has a query or a fragment.')
  if (url.password !== '' || (protocol !== 'ssh' && url.username !== ''))
    return invalid('It has a user name or a password. Remove them, and enter the token separately.')
  if (protocol === 'ssh' && url.username !== '' && !USER.test(url.username))
    return invalid('Its user name is not valid.')
  const host = parseHost(url.hostname)
  if (host === undefined) return invalid('Its host is not valid.')
  if (url.port === '0') return invalid('Its port is not valid.')
  const written = /^[a-z]+:\/\/[^/]*(\/.*)?$/i.exec(text)?.[1] ?? ''
  const path = parsePath(written.replace(/^\//, ''))
  if (path === undefined) return invalid(PATH_EXPECTED)
  const user = url.username === '' ? '' : `${url.username}@`
  const port = url.port === '' ? '' : `:${url.port}`
  return {
    kind: 'url',
    url: `${protocol}://${user}${host}${port}${written}`,
    protocol,
    host,
    path,
  }
}

/** Parses the short SSH form, such as `git@github.com:owner/name.git`. */
function parseScpForm(text: string): CloneUrl | InvalidCloneUrl {
  const [, user = '', name = '', written = ''] = SCP.exec(text) ?? []
  if (user === '')
    return invalid(
      'Expected a URL such as https://github.com/owner/name.git or git@github.com:owner/name.git.',
    )
  if (!USER.test(user)) return invalid('Its user name is not valid.')
  const host = parseHost(name)
  if (host === undefined) return invalid('Its host is not valid.')
  const path = parsePath(written.replace(/^\//, ''))
  if (path === undefined) return invalid(PATH_EXPECTED)
  return { kind: 'url', url: `${user}@${host}:${written}`, protocol: 'ssh', host, path }
}

/** Returns the host for Git; undefined if another program could read it as a different host. */
function parseHost(text: string): string | undefined {
  const host = parseHostName(text)
  return host !== undefined && HOST.test(host) ? host : undefined
}

const PATH_EXPECTED =
  'Its path is not the path of a repository, such as owner/name.git: it is empty, or has empty or dotted parts or unusual characters.'

/** Returns the path without a trailing slash or `.git`. */
function parsePath(text: string): string | undefined {
  const path = text.replace(/\/$/, '')
  if (!PATH.test(path)) return undefined
  const parts = path.split('/')
  const isUnsafe = (part: string) => {
    const decoded = decode(part)
    return decoded === undefined || /^\.{1,2}$|^-|[/\\\p{C}]/u.test(decoded)
  }
  if (parts.some(isUnsafe)) return undefined
  const short = path.replace(/\.git$/, '')
  return short === '' || short.endsWith('/') ? undefined : short
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const invalid = (reason: string): InvalidCloneUrl => ({ kind: 'invalid', reason })
