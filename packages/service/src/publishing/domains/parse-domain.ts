import { domainToASCII } from 'node:url'
import { parse } from 'tldts'

export type ParsedDomain =
  | { readonly kind: 'domain'; readonly name: string }
  | { readonly kind: 'refused'; readonly reason: string }

const LENGTH_MAX = 253
/** The limit before the conversion to punycode. No valid host name is longer than this. */
const TYPED_LENGTH_MAX = 500
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
/**
 * Matches letters and digits of any script, and label separators. `domainToASCII` would decode or
 * remove other characters.
 */
const TYPED = /^[\p{L}\p{M}\p{N}.\-。．｡]+$/u

/**
 * Parses a domain name that a user entered. Returns it normalized for all other code: in lower case
 * and punycode, without a trailing dot. `ownNames` are the names of the service itself.
 */
export function parseDomain(text: string, ownNames: readonly string[]): ParsedDomain {
  const typed = text
    .trim()
    // Remove what browsers add when a URL is copied, and the dot of a fully qualified name.
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .replace(/[.。．｡]$/u, '')
  if (typed.length > TYPED_LENGTH_MAX) return refused(`is longer than ${LENGTH_MAX} characters`)
  if (typed.includes('*')) return refused('is a wildcard: add each domain by its name')
  if (/[/:?#@]/.test(typed))
    return refused('has a port, path or query: enter only the host name, such as docs.example.com')
  if (!TYPED.test(typed)) return refused('is not a host name such as docs.example.com')
  const name = domainToASCII(typed)
  if (name.length > LENGTH_MAX) return refused(`is longer than ${LENGTH_MAX} characters`)
  const { isIp, domain, publicSuffix, isIcann, isPrivate } = parse(name, {
    allowPrivateDomains: true,
  })
  if (isIp) return refused('is an IP address: add a domain')
  if (!name.split('.').every((label) => LABEL.test(label)))
    return refused('is not a host name such as docs.example.com')
  if (!isIcann && !isPrivate)
    return refused(
      'does not end with a public suffix such as .com, so its ownership cannot be proved',
    )
  if (domain === null || publicSuffix === name)
    return refused('is a public suffix, under which anyone can register names')
  if (ownNames.some((own) => name === own || name.endsWith(`.${own}`)))
    return refused('belongs to this service')
  return { kind: 'domain', name }
}

const refused = (reason: string): ParsedDomain => ({ kind: 'refused', reason })
