/**
 * Watches when certificates expire. Front servers order and renew certificates, so the service
 * connects to the names as readers do: here for its own names, and in the daily check of each
 * custom domain.
 */

import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { nameBelow, readCertificate } from './read-certificate.ts'
import type { NameSettings } from './settings.ts'

const DAY_MS = 86_400_000
/**
 * A certificate with fewer days left was not renewed in time: front servers renew certificates
 * about a month before they expire.
 */
const EXPIRING_DAYS = 10
const LOOK_MS = 3_600_000

export type CertificateWatch = {
  /**
   * Returns the days until the first certificate expires, negative if it has expired, or NaN if no
   * certificate was read yet.
   */
  readonly days: () => Promise<number>
  /** Returns the number of certificates that expire within 10 days. */
  readonly countExpiring: () => Promise<number>
}

export function createCertificateWatch({
  settings,
  readDomains,
  log,
  now,
}: {
  readonly settings: NameSettings
  readonly readDomains: () => Promise<DomainCertificates>
  readonly log: Log
  readonly now: () => number
}): CertificateWatch {
  const urls = urlsOf(settings)
  const ownEnds = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY

  const daysUntil = (ms: number) => (ms - now()) / DAY_MS

  /**
   * Reads the service's own certificates in the background, so that an unreachable name does not
   * delay the metrics.
   */
  function refreshOwnCertificates(): void {
    if (now() - lookedAt < LOOK_MS) return
    lookedAt = now()
    for (const url of urls)
      void readCertificate(url).then((seen) => {
        if (seen.kind !== 'seen') return
        ownEnds.set(url.host, seen.validTo)
        logExpiringCertificate(log, { name: url.hostname, endsAt: seen.validTo, now: now() })
      })
  }

  return {
    async days() {
      refreshOwnCertificates()
      const { endsAt } = await readDomains()
      const ends = [...ownEnds.values(), ...(endsAt === null ? [] : [endsAt.getTime()])]
      return ends.length === 0 ? Number.NaN : daysUntil(Math.min(...ends))
    },
    async countExpiring() {
      const own = [...ownEnds.values()].filter((ms) => daysUntil(ms) < EXPIRING_DAYS)
      return own.length + (await readDomains()).ending
    },
  }
}

/** Logs the name of a certificate that expires soon, since metrics contain only numbers. */
export function logExpiringCertificate(
  log: Log,
  { name, endsAt, now }: { readonly name: string; readonly endsAt: number; readonly now: number },
): void {
  const days = Math.floor((endsAt - now) / DAY_MS)
  if (days < EXPIRING_DAYS) log.info('a certificate ends soon', { name, days })
}

type DomainCertificates = { readonly endsAt: Date | null; readonly ending: number }

/**
 * Returns the earliest expiry among the certificates of all custom domains, and how many expire
 * soon.
 */
export async function readDomainCertificates(database: Database): Promise<DomainCertificates> {
  const [row] = await database.query<DomainCertificates>(
    `select ends_at as "endsAt", ending from count_certificates(make_interval(days => $1))`,
    [EXPIRING_DAYS],
  )
  return row ?? { endsAt: null, ending: 0 }
}

/**
 * Returns the URLs whose certificates the operator provides: the service's own, and a name below
 * each domain of sites and previews.
 */
function urlsOf({ url, sitesDomain, previewsDomain }: NameSettings): readonly URL[] {
  const own = URL.parse(url ?? '')
  if (own?.protocol !== 'https:') return []
  const wildcards = [sitesDomain, previewsDomain].filter((domain) => domain !== undefined)
  return [
    own,
    ...wildcards.map((domain) =>
      Object.assign(new URL(own.origin), { hostname: nameBelow(domain) }),
    ),
  ]
}
