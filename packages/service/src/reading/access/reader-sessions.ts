/**
 * Who is signed in with a token. It is asked for every request to a private site, so it answers from
 * memory, and a session that ended somewhere else must not work for longer than a second: what was used
 * in the last moment is read again, all of it with one query. Without the database nobody is signed in.
 */

import type { ReaderWay } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import { inTime } from '../../platform/in-time.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { readerOfGroups, type SiteReader } from './find-reader.ts'

export type ReaderSession = {
  readonly projectId: string
  readonly way: ReaderWay
  /** The one host that a browser is signed in to; nothing for a token. */
  readonly host: string | undefined
  readonly reader: SiteReader
  readonly expiresAt: number
}

export type ReaderSessions = {
  /** What is known and recent enough: a session, `none`, or nothing when it has to be looked up. */
  readonly peek: (token: string) => ReaderSession | 'none' | undefined
  /** Throws when the database does not answer. */
  readonly find: (token: string) => Promise<ReaderSession | 'none'>
  /** The next request looks it up again. */
  readonly forget: (token: string) => void
  readonly stop: () => void
}

type Known = {
  readonly session: ReaderSession | 'none'
  /** When the query began that said so. */
  readonly askedAt: number
  wasUsed: boolean
}

type Rehash = { readonly stored: Buffer; readonly current: Buffer }

type Row = {
  readonly token_hash: Buffer
  readonly project_id: string
  readonly way: ReaderWay
  readonly host: string | null
  readonly groups: readonly string[]
  readonly expires_at: Date
}

const KNOWN_MAX = 50_000
/** For how long an answer counts, and how often those in use are renewed: together below a second. */
const FRESH_MS = 800
const RENEW_MS = 350
const LOOKUP_MS_MAX = 2_000
/** In one query. */
const TOKENS_MAX = 2_000

export function createReaderSessions(
  database: Database,
  deps: {
    readonly pepper: PepperRing
    readonly onError: (error: unknown) => void
    readonly now: () => number
  },
): ReaderSessions {
  const known = new LRUCache<string, Known>({ max: KNOWN_MAX })
  let waiting = new Set<string>()
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function read(tokens: readonly string[]): Promise<void> {
    const askedAt = deps.now()
    const asked = tokens.map((token) => ({
      token,
      hashes: deps.pepper.hashes('reader session', token),
    }))
    const rows = await inTime(
      database.query<Row>('select * from find_readers($1)', [asked.flatMap((one) => one.hashes)]),
      LOOKUP_MS_MAX,
    )
    const byHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
    const old: Rehash[] = []
    for (const { token, hashes } of asked) {
      const index = hashes.findIndex((hash) => byHash.has(hash.toString('hex')))
      const [current, stored] = [hashes[0], hashes[index]]
      const row = stored && byHash.get(stored.toString('hex'))
      known.set(token, { session: row ? sessionOf(row) : 'none', askedAt, wasUsed: false })
      if (index > 0 && current && stored) old.push({ stored, current })
    }
    if (old.length > 0) void rehash(old)
  }

  /** Moves sessions of an old pepper to the current one. It runs in the background, and the next read tries again. */
  async function rehash(old: readonly Rehash[]): Promise<void> {
    const from = old.map(({ stored }) => stored)
    const to = old.map(({ current }) => current)
    await database
      .query('select rehash_readers($1, $2, $3)', [from, to, deps.pepper.id])
      .catch(deps.onError)
  }

  /** One query at a time: whoever comes meanwhile waits for the next, which is for all of them. */
  function lookUp(token: string): Promise<void> {
    waiting.add(token)
    next ??= (async () => {
      await running?.catch(() => {})
      const tokens = [...waiting]
      waiting = new Set()
      next = undefined
      running = (async () => {
        for (let at = 0; at < tokens.length; at += TOKENS_MAX)
          await read(tokens.slice(at, at + TOKENS_MAX))
      })()
      await running
    })()
    return next
  }

  function use(entry: Known): ReaderSession | 'none' {
    const { session } = entry
    if (session === 'none' || session.expiresAt <= deps.now()) return 'none'
    entry.wasUsed = true
    if (timer === undefined && !isStopped) timer = setTimeout(renew, RENEW_MS).unref()
    return session
  }

  /** Sessions in use, before their answers are too old. Those that nobody uses cost nothing. */
  async function renew(): Promise<void> {
    const used = [...known].filter(([, { wasUsed }]) => wasUsed).map(([token]) => token)
    try {
      for (let at = 0; at < used.length; at += TOKENS_MAX)
        await read(used.slice(at, at + TOKENS_MAX))
    } catch (error) {
      deps.onError(error)
    }
    timer = used.length > 0 && !isStopped ? setTimeout(renew, RENEW_MS).unref() : undefined
  }

  function peek(token: string): ReaderSession | 'none' | undefined {
    const entry = known.get(token)
    if (entry === undefined || deps.now() - entry.askedAt > FRESH_MS) return undefined
    return use(entry)
  }

  return {
    peek,
    async find(token) {
      const found = peek(token)
      if (found !== undefined) return found
      await lookUp(token)
      const entry = known.get(token)
      return entry === undefined ? 'none' : use(entry)
    },
    forget: (token) => known.delete(token),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function sessionOf(row: Row): ReaderSession {
  return {
    projectId: row.project_id,
    way: row.way,
    host: row.host ?? undefined,
    reader: readerOfGroups(row.groups),
    expiresAt: row.expires_at.getTime(),
  }
}
