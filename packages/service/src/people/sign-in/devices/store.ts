/** SQL about sign-ins of the CLI that are waiting for approval. */
import type { Database } from '../../../platform/database/database.ts'
import type { FoundPerson } from '../../sessions/sessions.ts'
import { lockVerified } from '../../users/store.ts'

export type NewDevice = {
  readonly deviceHash: Buffer
  readonly codeHash: Buffer
  readonly name: string
  readonly addressPrefix: string | undefined
  readonly minutes: number
}

export type PolledDevice = {
  readonly state: 'pending' | 'slow-down' | 'denied' | 'allowed'
  /** The person who allowed the request. */
  readonly person: FoundPerson | undefined
  readonly device: string
}

type PolledRow = {
  readonly state: PolledDevice['state'] | 'expired'
  readonly userId: string | null
  readonly device: string
}

export function createDeviceStore(database: Database) {
  return {
    /** Adds a request. Returns false if another request has the same code. */
    async add(device: NewDevice): Promise<boolean> {
      const [row] = await database.query<{ is: boolean }>(
        'select add_device_request($1, $2, $3, $4, make_interval(mins => $5)) as is',
        [
          device.deviceHash,
          device.codeHash,
          device.name,
          device.addressPrefix ?? null,
          device.minutes,
        ],
      )
      return row?.is === true
    },

    async read(
      codeHash: Buffer,
    ): Promise<{ readonly name: string; readonly network: string | null } | undefined> {
      const [row] = await database.query<{ name: string; network: string | null }>(
        'select device as name, address_prefix as network from read_device_request($1)',
        [codeHash],
      )
      return row
    },

    /**
     * Allows or denies a request. Returns false if no request has this code, or if the e-mail
     * address was verified after the person was found.
     */
    decide: (
      codeHash: Buffer,
      { userId, isVerified }: FoundPerson,
      isDenied: boolean,
    ): Promise<boolean> =>
      database.transaction(async (query) => {
        if ((await lockVerified(query, userId)) !== isVerified) return false
        const [row] = await query<{ is: boolean }>(
          'select decide_device_request($1, $2, $3) as is',
          [codeHash, userId, isDenied],
        )
        return row?.is === true
      }),

    /** Returns undefined for a request that does not exist or has expired. */
    poll: (deviceHash: Buffer, intervalSeconds: number): Promise<PolledDevice | undefined> =>
      database.transaction(async (query) => {
        const [row] = await query<PolledRow>(
          `select state, user_id::text as "userId", device
             from poll_device_request($1, make_interval(secs => $2))`,
          [deviceHash, intervalSeconds],
        )
        if (row === undefined || row.state === 'expired') return undefined
        const { state, userId, device } = row
        if (userId === null) return { state, person: undefined, device }
        return { state, person: { userId, isVerified: await lockVerified(query, userId) }, device }
      }),
  }
}
