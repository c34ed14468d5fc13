/** Which headers pass. Cookies go neither way, and nothing tells the target about the reader. */
export type HeaderPair = readonly [name: string, value: string]

const NOT_SENT =
  /^(?:cookie2?|host|origin|referer|forwarded|via|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|expect|date|dnt|user-agent|x-real-ip|(?:x-forwarded|proxy|sec|cf|fly|octavo)-.*)$/i
const NOT_RETURNED =
  /^(?:set-cookie2?|connection|keep-alive|transfer-encoding|trailer|upgrade|content-length|location|refresh|clear-site-data|strict-transport-security|service-worker-allowed|alt-svc|link|report-to|nel|reporting-endpoints|content-security-policy(?:-report-only)?|x-frame-options|(?:proxy|access-control|cross-origin|octavo)-.*)$/i
/** What must not follow a request to another origin. */
const CREDENTIALS =
  /^(?:authorization|cookie|proxy-.*|.*(?:token|secret|key|auth|session|password).*)$/i

const HEADERS_MAX = 64
const VALUE_LENGTH_MAX = 8_192
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

export function headersToSend(written: readonly HeaderPair[]): readonly HeaderPair[] {
  return written
    .slice(0, HEADERS_MAX)
    .filter(
      ([name, value]) =>
        NAME.test(name) &&
        !NOT_SENT.test(name) &&
        value.length <= VALUE_LENGTH_MAX &&
        !/[\r\n\0]/.test(value),
    )
}

export function withoutCredentials(headers: readonly HeaderPair[]): readonly HeaderPair[] {
  return headers.filter(([name]) => !CREDENTIALS.test(name))
}

export function headersToReturn(raw: readonly string[]): readonly HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]]
    if (!NOT_RETURNED.test(name)) pairs.push([name, value])
  }
  return pairs
}
