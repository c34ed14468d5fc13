/**
 * Receives a notification when a site is published. It uses a separate connection, because `LISTEN`
 * needs a session, which a pooler does not provide. Notifications are lost while it is not
 * connected; polling finds those changes.
 */
import pg from 'pg'

export type PublishListener = {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

type PublishListenerDeps = {
  readonly url: string
  readonly onPublish: (slug: string) => void
  readonly onError: (error: unknown) => void
}

const CHANNEL = 'octavo_sites'
const CONNECT_MS = 2_000
const RECONNECT_MS = 1_000

export function createPublishListener({
  url,
  onPublish,
  onError,
}: PublishListenerDeps): PublishListener {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = true

  function connect(): void {
    const own = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    client = own
    own.on('notification', ({ payload }) => {
      if (payload !== undefined) onPublish(payload)
    })
    own.on('error', onError)
    own.once('end', () => {
      if (!isStopped) timer = setTimeout(connect, RECONNECT_MS)
    })
    own
      .connect()
      .then(() => own.query(`listen ${CHANNEL}`))
      .catch((error: unknown) => {
        if (isStopped) return
        onError(error)
        // There is no `end` event if the connection could not be opened.
        own.end().catch(onError)
      })
  }

  return {
    start: () => {
      isStopped = false
      connect()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
