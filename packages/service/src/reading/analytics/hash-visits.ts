/**
 * Hashes visitors with the salt of the day. A batch is hashed at once, because a hash then takes 1
 * µs, compared with 20 µs for single calls between requests.
 */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BatchStore } from './batch-store.ts'
import type { Visit, Visitor } from './event-buffer.ts'

/** The number of hexadecimal digits that a JavaScript number can store exactly. */
const HASH_DIGITS = 12
/** The number of hashes that are computed before other requests are handled. */
const PART = 1_000
/** The number of cached salts: for today, and for yesterday until its last visits are stored. */
const SALTS_MAX = 2

export function createVisitHasher(store: Pick<BatchStore, 'saltOf'>) {
  const salts = new Map<string, string>()

  /** Returns the salt of a day, which all hosts share; undefined if the day is over. */
  async function saltOf(day: string): Promise<string | undefined> {
    const known = salts.get(day)
    if (known !== undefined) return known
    const salt = (await store.saltOf(day))?.toString('base64')
    if (salt === undefined) return undefined
    salts.set(day, salt)
    for (const old of [...salts.keys()].slice(0, -SALTS_MAX)) salts.delete(old)
    return salt
  }

  return {
    saltOf,
    async hashAll(visitors: readonly Visitor[]): Promise<Visit[]> {
      const visits: Visit[] = []
      for (const [index, { visitor, ...visit }] of visitors.entries()) {
        if (index % PART === PART - 1) await nextTurn()
        const salt = await saltOf(visit.day)
        if (salt === undefined) continue
        const text = hash('sha256', `${salt} ${visit.projectId} ${visitor}`, 'hex')
        visits.push({ ...visit, hash: Number.parseInt(text.slice(0, HASH_DIGITS), 16) })
      }
      return visits
    },
  }
}
export type VisitHasher = ReturnType<typeof createVisitHasher>
