/** SQL about command lines that wait for somebody to say yes. */
import type { Database } from '../database/database.ts'

export type NewDevice = {
  readonly deviceHash: Buffer
  readonly codeHash: Buffer
  readonly name: string
  readonly addressPrefix: string | undefined
  readonly minutes: number
}

export type PolledDevice = {
  readonly state: 'pending' | 'slow-down' | 'denied' | 'expired' | 'allowed'
  readonly userId: string | null
  readonly device: string
}

export function createDeviceStore(database: Database) {
  return {
    /** False if the code is taken. */
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

    async decide(
      codeHash: Buffer,
      { userId, isDenied }: { readonly userId: string; readonly isDenied: boolean },
    ): Promise<boolean> {
      const [row] = await database.query<{ is: boolean }>(
        'select decide_device_request($1, $2, $3) as is',
        [codeHash, userId, isDenied],
      )
      return row?.is === true
    },

    async poll(deviceHash: Buffer, intervalSeconds: number): Promise<PolledDevice> {
      const [row] = await database.query<PolledDevice>(
        `select state, user_id::text as "userId", device
           from poll_device_request($1, make_interval(secs => $2))`,
        [deviceHash, intervalSeconds],
      )
      return row ?? { state: 'expired', userId: null, device: '' }
    },
  }
}
