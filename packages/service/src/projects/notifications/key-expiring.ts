import { z } from 'zod'
import { plainText } from '../../platform/mail/plain-text.ts'
import { defineNotice } from './notice-type.ts'

const Facts = z.object({
  keyId: z.string(),
  name: z.string(),
  lastFour: z.string(),
  expiresAt: z.string(),
})

/**
 * Sent when an active key expires within a week. Keys with a lifetime of a week or less, such as
 * those of CI jobs, are skipped.
 */
export const keyExpiring = defineNotice(Facts, {
  kind: 'key.expiring',

  async find(store) {
    const keys = await store.expiringKeys()
    return keys.map(({ id, subject, name, lastFour, expiresAt }) => ({
      subject,
      facts: { keyId: id, name, lastFour, expiresAt: expiresAt.toISOString() },
    }))
  },

  describe({ name, lastFour, expiresAt }) {
    const label = plainText(name)
    const key = label === '' ? `ending in ${lastFour}` : `"${label}"`
    const [day = '', time = ''] = expiresAt.split('T')
    return {
      title: `The API key ${key} expires on ${day}`,
      text: `The API key ${key}${label === '' ? '' : ` (ending in ${lastFour})`} expires on ${day} at ${time.slice(0, 5)} UTC.`,
      advice:
        'After that, programs that use the key are refused. Rotate the key to get a new one: the old key keeps working for a while, so that you can replace it everywhere. If nothing uses the key anymore, you can ignore this message.',
      path: 'keys',
    }
  },
})
