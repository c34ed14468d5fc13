/** The possible outcomes of a request to an untrusted URL. Failures are values, not exceptions. */

export type OutboundOutcome =
  | OutboundLoaded
  /** The caller's cached copy is still valid, according to its entity tag or date. */
  | { readonly kind: 'not-modified'; readonly url: string }
  | OutboundFailure

export type OutboundLoaded = {
  readonly kind: 'loaded'
  /** The final URL after all redirects. */
  readonly url: string
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

export type OutboundFailure =
  | {
      /** No connection to `url` was opened, because the rules for outbound requests forbid it. */
      readonly kind: 'refused'
      readonly url: string
      readonly reason: RefusalReason
    }
  | {
      readonly kind: 'failed'
      readonly url: string
      readonly reason: FailureReason
      /** The status of the response; only if the reason is `status`. */
      readonly status?: number
      /** The timeout in milliseconds; only if the reason is `timeout`. */
      readonly afterMs?: number
      /** The system's error code, such as `ECONNREFUSED`. */
      readonly code?: string
    }

type RefusalReason = 'url' | 'scheme' | 'userinfo' | 'port' | 'address' | 'redirects'

export type FailureReason =
  | 'unknown-host'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'too-large'
  | 'encoding'
  | 'canceled'

/**
 * Returns the reason of a failure as the end of a sentence, such as "the server responded with
 * status 404" after "… could not be fetched: ".
 */
export function printOutboundFailure(failure: OutboundFailure, askedUrl: string): string {
  const reason = failure.kind === 'refused' ? printRefusal(failure) : printFailure(failure)
  const isExternalDestination = failure.url !== (URL.parse(askedUrl)?.href ?? askedUrl)
  return isExternalDestination ? `it redirects to ${failure.url}, and ${reason}` : reason
}

function printRefusal({ reason, url }: Extract<OutboundFailure, { kind: 'refused' }>): string {
  const { hostname, port } = URL.parse(url) ?? { hostname: url, port: '' }
  switch (reason) {
    case 'url':
      return 'the URL is not valid'
    case 'scheme':
      return 'only http and https URLs are allowed'
    case 'userinfo':
      return 'the URL must not contain a user name or password'
    case 'port':
      return `port ${port} is not allowed (only 80, 443, 8080 and 8443)`
    case 'address':
      return `${hostname} is not on the public internet`
    case 'redirects':
      return 'there are too many redirects'
  }
}

function printFailure({
  reason,
  url,
  status,
  afterMs = 0,
  code,
}: Extract<OutboundFailure, { kind: 'failed' }>): string {
  const host = URL.parse(url)?.hostname ?? url
  const behind = code === undefined ? '' : ` (${code})`
  switch (reason) {
    case 'unknown-host':
      return `the host ${host} was not found`
    case 'dns':
      return `the DNS lookup of ${host} failed${behind}`
    case 'connect':
      return `the connection failed${behind}`
    case 'tls':
      return `the TLS connection failed${behind}`
    case 'timeout':
      return `the request timed out after ${afterMs / 1_000} seconds`
    case 'status':
      return `the server responded with status ${status}`
    case 'too-large':
      return 'the response is too large'
    case 'encoding':
      return 'the response has an unsupported content encoding'
    case 'canceled':
      return 'the request was canceled'
  }
}
