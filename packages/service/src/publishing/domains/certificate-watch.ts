/**
 * Watches when certificates expire. Front servers order and renew them, so they are read as readers
 * see them: those of custom domains by each domain's daily check, those of the service's own names
 * here.
 */

import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { nameBelow, readCertificate } from './read-certificate.ts'
import type { NameSettings } from './settings.ts'

const DAY_MS = 86_400_000
/**
 * Front servers renew a certificate a month before it expires: with fewer days left, the renewal
 * has failed.
 */
const EXPIRING_DAYS = 10
const LOOK_MS = 3_600_000

export type CertificateWatch = {
  /** Days until the first certificate expires, negative after that; NaN while none is known. */
  readonly days: () => Promise<number>
  /** The number of certificates that expire within 10 days. */
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

  /** Runs in the background: an unreachable name must not delay the metrics. */
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

/** Logs which certificates expire soon; metrics only count them. */
export function logExpiringCertificate(
  log: Log,
  { name, endsAt, now }: { readonly name: string; readonly endsAt: number; readonly now: number },
): void {
  const days = Math.floor((endsAt - now) / DAY_MS)
  if (days < EXPIRING_DAYS) log.info('a certificate ends soon', { name, days })
}

type DomainCertificates = { readonly endsAt: Date | null; readonly ending: number }

/** Reads the certificate facts of all projects' custom domains. */
export async function readDomainCertificates(database: Database): Promise<DomainCertificates> {
  const [row] = await database.query<DomainCertificates>(
    `select ends_at as "endsAt", ending from count_certificates(make_interval(days => $1))`,
    [EXPIRING_DAYS],
  )
  return row ?? { endsAt: null, ending: 0 }
}

/**
 * Returns URLs with a certificate of the operator: the service's own name, and names below the
 * domains of sites and previews.
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
