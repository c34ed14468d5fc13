/**
 * How long the certificates last that readers see. Servers in front of the service order and renew them, so they are
 * read as readers read them: those of own domains by the daily check of each domain, those of the service's own names here.
 */

import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { nameBelow, readCertificate } from './read-certificate.ts'
import type { NameSettings } from './settings.ts'

const DAY_MS = 86_400_000
/** Servers renew a certificate a month before its end: with fewer days left, they have failed to. */
const ENDING_DAYS = 10
const LOOK_MS = 3_600_000

export type CertificateWatch = {
  /** Until the first certificate ends, less than 0 after that; NaN while none is known. */
  readonly days: () => Promise<number>
  /** Certificates that end within 10 days. */
  readonly countEnding: () => Promise<number>
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

  /** Nobody waits for it: a name that cannot be reached from here must not delay the metrics. */
  function lookAtOwn(): void {
    if (now() - lookedAt < LOOK_MS) return
    lookedAt = now()
    for (const url of urls)
      void readCertificate(url).then((seen) => {
        if (seen.kind !== 'seen') return
        ownEnds.set(url.host, seen.validTo)
        logEnding(log, { name: url.hostname, endsAt: seen.validTo, now: now() })
      })
  }

  return {
    async days() {
      lookAtOwn()
      const { endsAt } = await readDomains()
      const ends = [...ownEnds.values(), ...(endsAt === null ? [] : [endsAt.getTime()])]
      return ends.length === 0 ? Number.NaN : daysUntil(Math.min(...ends))
    },
    async countEnding() {
      const own = [...ownEnds.values()].filter((ms) => daysUntil(ms) < ENDING_DAYS)
      return own.length + (await readDomains()).ending
    },
  }
}

/** Metrics say how many certificates end soon, the log says which. */
export function logEnding(
  log: Log,
  { name, endsAt, now }: { readonly name: string; readonly endsAt: number; readonly now: number },
): void {
  const days = Math.floor((endsAt - now) / DAY_MS)
  if (days < ENDING_DAYS) log.info('a certificate ends soon', { name, days })
}

type DomainCertificates = { readonly endsAt: Date | null; readonly ending: number }

/** Of own domains of all projects. */
export async function readDomainCertificates(database: Database): Promise<DomainCertificates> {
  const [row] = await database.query<DomainCertificates>(
    `select ends_at as "endsAt", ending from count_certificates(make_interval(days => $1))`,
    [ENDING_DAYS],
  )
  return row ?? { endsAt: null, ending: 0 }
}

/** Where a certificate of the operator is seen: at the service's own name, and below the domains of sites and previews. */
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
