/** Checks the service's host names and its certificate. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { codeOf, type DomainDns } from '../../../publishing/domains/domain-dns.ts'
import { readCertificate } from '../../../publishing/domains/read-certificate.ts'
import { type Finding, failed, fine, skipped, warning } from './finding.ts'

const DAY_MS = 86_400_000
const DAYS_MIN = 14
/** Errors that make a certificate unusable for every client. */
const BROKEN = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'])

export async function checkName(
  check: string,
  {
    name,
    dns,
    shown = name,
  }: { readonly name: string; readonly dns: DomainDns; readonly shown?: string },
): Promise<Finding> {
  const host = name.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return fine(check, `${host} is an IP address`)
  if (isLocalName(host)) return fine(check, `${shown} is this machine, as browsers resolve it`)
  try {
    const addresses = await dns.addresses(host).catch(async (error) => {
      // The name may be known only to this machine, for example from its hosts file.
      const local = await lookup(host).catch(() => undefined)
      if (local === undefined) throw error
      return [local]
    })
    return fine(check, `${shown} is ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return warning(check, {
      code: 'name-unresolved',
      found: `${shown} has no address (${codeOf(error)}, ${dns.about}).`,
      hint: `Add a record for ${shown} that points to this service or to the proxy in front of it. If readers use other DNS servers, which have the record, ignore this warning.`,
    })
  }
}

/** Browsers resolve these names to their own machine, regardless of DNS (RFC 6761). */
export const isLocalName = (name: string) => name === 'localhost' || name.endsWith('.localhost')

/** Checks the certificate that readers see, which may be a proxy's. */
export async function checkCertificate(url: URL, now: () => number): Promise<Finding> {
  const seen = await readCertificate(url)
  if (seen.kind === 'unreachable')
    return skipped('certificate', `${url.host} cannot be reached from here (${seen.reason})`)
  const hint = `Renew the certificate of ${url.host}, or fix its automatic renewal.`
  const days = Math.floor((seen.validTo - now()) / DAY_MS)
  const end = new Date(seen.validTo).toISOString().slice(0, 10)
  if (seen.problem !== undefined && BROKEN.has(seen.problem))
    return failed('certificate', {
      code: 'certificate-invalid',
      found: `Readers of ${url.host} are warned: ${seen.problem}, valid until ${end}.`,
      hint,
    })
  if (days < 0)
    return failed('certificate', {
      code: 'certificate-invalid',
      found: `The certificate of ${url.host} expired on ${end}.`,
      hint,
    })
  if (days < DAYS_MIN)
    return warning('certificate', {
      code: 'certificate-ends',
      found: `The certificate of ${url.host} expires in ${days} days, on ${end}.`,
      hint,
    })
  if (seen.problem !== undefined)
    return warning('certificate', {
      code: 'certificate-untrusted',
      found: `This machine does not trust the certificate of ${url.host}: ${seen.problem}.`,
      hint: 'If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS. Otherwise, get a certificate that browsers trust.',
    })
  return fine('certificate', `valid for ${days} days, until ${end}`)
}
