import { z } from 'zod'
import { defineNotice } from './notice-type.ts'

const Facts = z.object({
  domain: z.string(),
  state: z.enum(['missing', 'lapsed', 'lost']),
  /** The time until which the site is served without the record; null if it is no longer served. */
  servedUntil: z.string().nullable(),
})

/**
 * Sent when the record of a custom domain was missing for a day or for too long, or another
 * organization verified the domain.
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
          title: `The domain ${domain} is lost on ${day}`,
          text: `The ${record} has been gone for a day. The site is served at ${domain} until ${day} at ${time.slice(0, 5)} UTC.`,
          advice:
            'Add the record again where you manage DNS; the page of domains has its value. If you do not use the domain any more, remove it from the project.',
          path,
        }
      }
      case 'lapsed':
        return {
          title: `The site is not served at ${domain} any more`,
          text: `The ${record} was gone for 7 days, so the site is not served at ${domain} any more.`,
          advice:
            'Add the record again within 30 days, then check the domain: the site is back at once. If you do not use the domain any more, remove it from the project.',
          path,
        }
      case 'lost':
        return {
          title: `Another organization has the domain ${domain} now`,
          text: `Another organization proved that ${domain} is theirs, while your ${record} was gone. The site is not served there any more.`,
          advice:
            'If the domain is yours, someone else can change its DNS. Remove their TXT record, add yours again, and check the domain.',
          path,
        }
    }
  },
})
