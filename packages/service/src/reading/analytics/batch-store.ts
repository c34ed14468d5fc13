/** SQL with which hosts store the counts and visits of many projects at once. */
import type { Database } from '../../platform/database/database.ts'
import type { EventCount, Visit } from './event-buffer.ts'

export function createBatchStore(database: Database) {
  return {
    /** Stores a batch. A batch with the same host and sequence number is only stored once. */
    async storeCounts(
      host: string,
      sequence: number,
      counts: readonly EventCount[],
    ): Promise<void> {
      await database.query(
        `select store_events($1, $2, $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::bigint[])`,
        [
          host,
          sequence,
          counts.map(({ projectId }) => projectId),
          counts.map(({ hour }) => new Date(hour).toISOString()),
          counts.map(({ event }) => event),
          counts.map(({ subject }) => subject),
          counts.map(({ detail }) => detail),
          counts.map(({ count }) => count),
        ],
      )
    },

    /** Stores visits. Storing the same visit again has no effect. */
    async storeVisits(visits: readonly Visit[]): Promise<void> {
      await database.query(
        'select store_visitors($1::bigint[], $2::date[], $3::text[], $4::text[], $5::bigint[])',
        [
          visits.map(({ projectId }) => projectId),
          visits.map(({ day }) => day),
          visits.map(({ subject }) => subject),
          visits.map(({ detail }) => detail),
          visits.map(({ hash }) => hash),
        ],
      )
    },

    /** Returns the salt of a day; undefined if the day is over. */
    async saltOf(day: string): Promise<Buffer | undefined> {
      const [row] = await database.query<{ salt: Buffer | null }>(
        'select visitor_salt($1::date) as salt',
        [day],
      )
      return row?.salt ?? undefined
    },
  }
}
export type BatchStore = ReturnType<typeof createBatchStore>
