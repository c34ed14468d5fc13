import { z } from 'zod'
import { defineNotice } from './notice-type.ts'

const Facts = z.object({
  domain: z.string(),
  state: z.enum(['missing', 'lapsed', 'lost']),
  /** The time until which the site is served without the record; null if it is no longer served. */
  servedUntil: z.string().nullable(),
})

/**
 * Sent when the DNS record of a custom domain has been missing for a day, when it has been missing
 * for so long that the domain lapsed, or when another organization verified the domain.
 */
export const domainLost = defineNotice(Facts, {
  kind: 'domain.lost',

  async find(store) {
    const domains = await store.lostDomains()
    return domains.map(({ subject, name, state, servedUntil }) => ({
      subject,
      facts: { domain: name, state, servedUntil: servedUntil?.toISOString() ?? null },
    }))
  },

  describe({ domain, state, servedUntil }) {
    const path = 'domains'
    const record = `TXT record _octavo-challenge.${domain}`
    switch (state) {
      case 'missing': {
        const [day = '', time = ''] = (servedUntil ?? '').split('T')
        return {
          title: `The domain ${domain} will be lost on ${day}`,
          text: `The ${record} has been missing for a day. The site is served at ${domain} until ${day} at ${time.slice(0, 5)} UTC.`,
          advice:
            'Add the record again at your DNS provider. The Domains page shows its value. If you no longer use the domain, remove it from the project.',
          path,
        }
      }
      case 'lapsed':
        return {
          title: `The site is no longer served at ${domain}`,
          text: `The ${record} was missing for 7 days, so the site is no longer served at ${domain}.`,
          advice:
            'Add the record again within 30 days, then check the domain: the site is back immediately. If you no longer use the domain, remove it from the project.',
          path,
        }
      case 'lost':
        return {
          title: `Another organization now owns the domain ${domain}`,
          text: `Another organization proved that ${domain} is theirs, while your ${record} was missing. The site is no longer served there.`,
          advice:
            'If the domain is yours, someone else can change its DNS. Remove their TXT record, add yours again, and check the domain.',
          path,
        }
    }
  },
})
