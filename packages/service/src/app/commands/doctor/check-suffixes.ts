import { getPublicSuffix } from 'tldts'
import { isLocalName } from './check-names.ts'
import { type Finding, fine, skipped, warning } from './finding.ts'

/**
 * Checks that browsers isolate the cookies of different projects' sites. If their common domain is
 * not on the Public Suffix List, a script on one site can set cookies for all of them, and too many
 * cookies make every other site unreachable for that reader. The list ships with this version and
 * is not downloaded.
 */
export function checkSuffixes(check: string, domains: readonly string[]): Finding {
  const open = domains.filter((domain) => !isPublicSuffix(domain))
  if (open.length === 0) return fine(check, `${domains.join(' and ')}: on the Public Suffix List`)
  if (open.every((domain) => isLocalName(domain)))
    return skipped(check, `${open.join(' and ')}: only used on this machine`)
  return warning(check, {
    code: 'domain-shared',
    found: `${open.join(' and ')}: not on the Public Suffix List, so a script of one site can set cookies for all sites, which can make requests to them fail with status 431 in that browser.`,
    hint: 'If authors of different sites do not trust each other, request an entry at https://publicsuffix.org/submit/, or give each organization a custom domain. When the entry has been accepted, upgrade octavo-service to get the new list.',
  })
}

const isPublicSuffix = (domain: string) =>
  getPublicSuffix(`site.${domain}`, { allowPrivateDomains: true }) === domain
