import { isIP } from 'node:net'
import type { DomainDirectory } from './domain-directory.ts'
import { type HostNames, isPreview, targetOf } from './site-address.ts'

export const ASK_PATH = '/internal/tls-ask'

export type CertificateDecision = readonly [status: number, text: string]

/**
 * Returns true if a project with this slug has a site; undefined in a process that serves no sites.
 */
export type HasSite = ((slug: string) => Promise<boolean>) | undefined

type AskDeps = {
  readonly directory: DomainDirectory
  readonly names: HostNames
  readonly hasSite: HasSite
}

const YES: CertificateDecision = [200, 'ok\n']
const NO: CertificateDecision = [404, 'No site is served at this domain.\n']

/**
 * Decides whether a front server may order a certificate for a name; Caddy asks before it orders
 * one. Allows custom domains with a verified proof and host names of projects with a site. Denies
 * previews, because certificates are public while the name of a preview is secret: previews use the
 * operator's wildcard certificate.
 */
export async function decideCertificate(
  url: string,
  { directory, names, hasSite }: AskDeps,
): Promise<CertificateDecision> {
  const query = url.slice(ASK_PATH.length)
  const requested = query.startsWith('?') ? new URLSearchParams(query).getAll('domain') : []
  const [name] = requested
  if (requested.length !== 1 || name === undefined)
    return [400, `Expected one name: ${ASK_PATH}?domain=docs.example.com.\n`]
  const slug = slugOf(name, names)
  if (slug !== undefined) return answerSlug(slug, hasSite)
  if (!directory.isLoaded()) return [503, 'The domains are not loaded yet.\n']
  return isIP(name) !== 0 || directory.find(name) === undefined ? NO : YES
}

async function answerSlug(slug: string, hasSite: HasSite): Promise<CertificateDecision> {
  if (hasSite === undefined) return [503, 'This process serves no sites.\n']
  try {
    return (await hasSite(slug)) ? YES : NO
  } catch {
    return [503, 'The site cannot be looked up now.\n']
  }
}

/**
 * Returns the slug of a host name below the sites domain; undefined for other names, and for other
 * spellings of such a name.
 */
function slugOf(name: string, names: HostNames): string | undefined {
  const target = targetOf(name, names)
  if (target.kind !== 'site' || isPreview(target.slug)) return undefined
  return name === `${target.slug}.${names.sites}` ? target.slug : undefined
}
