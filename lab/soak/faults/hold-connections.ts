/** Takes all remaining connections of PostgreSQL, as other programs on the same server could. */
import pg from 'pg'

const CONNECTIONS_MAX = 500

export async function holdConnections(url: string) {
  const held: pg.Client[] = []
  async function fill(): Promise<number> {
    while (held.length < CONNECTIONS_MAX) {
      const client = new pg.Client(url)
      client.on('error', () => {})
      try {
        await client.connect()
      } catch {
        return held.length
      }
      held.push(client)
    }
    return held.length
  }
  return {
    fill,
    release: async () => {
      await Promise.all(held.splice(0).map((client) => client.end()))
    },
  }
}
