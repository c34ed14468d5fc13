/** Explains to the owner why Git failed. Git's own messages are parsed and never shown in full. */
import { printable } from '@octavo/model'
import { type ProxyFailure, printOutboundFailure } from '@octavo/outbound'
import type { GitCredential, GitFailure } from './git.ts'
import type { GitAddress } from './git-address.ts'
import type { GitEnd } from './run-git-process.ts'

export type FailedRun = {
  readonly end: GitEnd
  readonly proxyFailure: ProxyFailure | undefined
  readonly address: GitAddress
  readonly credential: GitCredential
}

const DETAIL_LENGTH_MAX = 300

export function explainFailure(run: FailedRun): GitFailure {
  return explainLimit(run.end) ?? explainConnection(run) ?? explainMessage(run) ?? explainRest(run)
}

export function gitFailure(code: GitFailure['code'], message: string, isFinal = true): GitFailure {
  return { kind: 'failed', code, message, isFinal }
}

/**
 * Explains the failure if Git exceeded a limit or could not be started; returns undefined
 * otherwise.
 */
export function explainLimit({ killedFor, code }: GitEnd): GitFailure | undefined {
  if (killedFor === 'disk') return TOO_LARGE
  if (killedFor === 'seconds') {
    return gitFailure(
      'timeout',
      'Git did not finish in time. The repository is large or the server is slow.',
      false,
    )
  }
  if (killedFor === 'memory') {
    return gitFailure(
      'too-large',
      'Git needs more memory for this repository than the limit allows.',
    )
  }
  if (code === undefined || code === 127) {
    return gitFailure(
      'other',
      'The git program could not be started. Install git on the worker.',
      false,
    )
  }
  return undefined
}

const TOO_LARGE = gitFailure(
  'too-large',
  'The repository exceeds the size limit. Move large files out of it, or publish from CI with octavo deploy.',
)

function explainConnection({ proxyFailure, address }: FailedRun): GitFailure | undefined {
  if (proxyFailure === undefined) return undefined
  const { host, port } = address
  if (proxyFailure.kind === 'other-target') {
    const other = URL.parse(proxyFailure.url)?.host ?? proxyFailure.url
    return gitFailure(
      'refused',
      `The server redirects to ${other}, and redirects to other hosts are not followed. Enter the current URL of the repository.`,
    )
  }
  if (proxyFailure.kind === 'refused') {
    const reason =
      proxyFailure.reason === 'port'
        ? `port ${port} is not allowed (only 22, 80, 443, 8080 and 8443)`
        : printOutboundFailure(proxyFailure, proxyFailure.url)
    return gitFailure('refused', `The repository cannot be fetched: ${reason}.`)
  }
  if (proxyFailure.reason === 'too-large') return TOO_LARGE
  const reason = printOutboundFailure(proxyFailure, proxyFailure.url)
  return gitFailure('unreachable', `${host} cannot be reached: ${reason}.`, false)
}

type Pattern = {
  readonly text: RegExp
  readonly explain: (run: FailedRun) => GitFailure
}

/** The first matching pattern is used, so more specific patterns come first. */
const PATTERNS: readonly Pattern[] = [
  {
    text: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/,
    explain: ({ address }) =>
      gitFailure(
        'refused',
        `The SSH host key of ${address.host} has changed. If the server has a new key, remove the connection and add it again; otherwise the connection may be intercepted.`,
      ),
  },
  {
    text: /Permission denied \(|Load key .*(?:invalid format|error in libcrypto)/,
    explain: ({ address }) =>
      gitFailure(
        'credentials',
        `${address.host} does not accept the deploy key. Add the public key to the repository, with read access.`,
      ),
  },
  {
    text: /could not read (?:Username|Password)|Authentication failed|error: 40[13]\b|HTTP Basic: Access denied/,
    explain: ({ address, credential }) =>
      gitFailure(
        'credentials',
        credential.kind === 'token'
          ? `${address.host} does not accept the token. It may be wrong, expired, revoked, or without access to this repository.`
          : `${address.host} asks for credentials: the repository is private, or does not exist. Check the URL, or add a token.`,
      ),
  },
  {
    text: /find remote ref/,
    explain: () => gitFailure('no-such-ref', 'The branch no longer exists in the repository.'),
  },
  {
    text: /repository .*not found|Repository not found|does not appear to be a git repository|error: 404\b|not valid: is this a git repository/i,
    explain: ({ address }) =>
      gitFailure(
        'not-found',
        `There is no repository at ${address.url}, or these credentials have no access to it.`,
      ),
  },
  {
    text: /SSL certificate|certificate verif|gnutls_handshake|SSL_ERROR|server verification failed/i,
    explain: ({ address }) =>
      gitFailure('unreachable', `The TLS certificate of ${address.host} is not valid.`, false),
  },
  {
    text: /error: (?:429|5\d\d)\b|Could not resolve|Failed to connect|Connection (?:refused|reset|closed|timed out)|unexpected disconnect|early EOF|RPC failed|hung up|kex_exchange|SOCKS/i,
    explain: (run) =>
      gitFailure(
        'unreachable',
        `Unexpected response from ${run.address.host}: ${detail(run)}`,
        false,
      ),
  },
]

function explainMessage(run: FailedRun): GitFailure | undefined {
  const failure = PATTERNS.find(({ text }) => text.test(run.end.stderr))?.explain(run)
  if (failure === undefined) return undefined
  const said = detail(run)
  return failure.message.includes(said) ? failure : { ...failure, said }
}

function explainRest(run: FailedRun): GitFailure {
  return gitFailure('other', `Git failed: ${detail(run)}`, false)
}

/** Returns the most informative line of the error output, without secrets. */
function detail({ end, credential }: FailedRun): string {
  const lines = end.stderr
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const line = lines.find((text) => /^(?:fatal|error):/.test(text)) ?? lines.at(-1)
  const text = printable(line ?? `git ended with code ${end.code}`)
  const secret = credential.kind === 'token' ? credential.token : ''
  const clean = secret === '' ? text : text.replaceAll(secret, '***')
  return clean.slice(0, DETAIL_LENGTH_MAX).toWellFormed()
}
