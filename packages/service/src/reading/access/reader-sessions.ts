/**
 * Finds the session of a token. This is needed for every request to a private site, so sessions are
 * cached. A session that ends in another process must become invalid within a second, so sessions
 * in use are refreshed with one query for all. While the database is unavailable, no reader is
 * signed in.
 */

import type { ReaderSignInMethod } from '@octavo/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { withTimeout } from '../../platform/with-timeout.ts'
import { type SiteReader, signedInReader } from './find-reader.ts'

export type ReaderSession = {
  readonly projectId: string
  readonly way: ReaderSignInMethod
  /** The only host where the session is valid; undefined for a reader token. */
  readonly host: string | undefined
  readonly reader: SiteReader
  readonly expiresAt: number
}

type Known = {
  readonly session: ReaderSession | 'none'
  /** The time at which the query for this entry started. */
  readonly askedAt: number
  wasUsed: boolean
}

type Rehash = { readonly stored: Buffer; readonly current: Buffer }

type Row = {
  readonly token_hash: Buffer
  readonly project_id: string
  readonly way: ReaderSignInMethod
  readonly host: string | null
  readonly groups: readonly string[]
  readonly expires_at: Date
  /** True if the last recorded use of a token is missing or more than an hour ago. */
  readonly is_use_due: boolean
}

const KNOWN_MAX = 50_000
/**
 * How long an entry is valid, which is less than a second so that ended sessions stop working in
 * time. Entries in use are refreshed more often, so that requests rarely wait for a lookup.
 */
const FRESH_MS = 800
const RENEW_MS = 350
const LOOKUP_MS_MAX = 2_000
/** The maximum number of tokens in one query. */
const TOKENS_MAX = 2_000

type SessionDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export class ReaderSessions {
  readonly #deps: SessionDeps
  readonly #known = new LRUCache<string, Known>({ max: KNOWN_MAX })
  #waiting = new Set<string>()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  /** Returns a recent result, which is a session or `none`; undefined if a lookup is required. */
  peek(token: string): ReaderSession | 'none' | undefined {
    const entry = this.#known.get(token)
    if (entry === undefined || this.#deps.now() - entry.askedAt > FRESH_MS) return undefined
    return this.#use(entry)
  }

  /** Returns the session of a token or `none`. Throws if the database is unavailable. */
  async find(token: string): Promise<ReaderSession | 'none'> {
    const found = this.peek(token)
    if (found !== undefined) return found
    await this.#lookUp(token)
    const entry = this.#known.get(token)
    return entry === undefined ? 'none' : this.#use(entry)
  }

  /** Removes a session from the cache. */
  forget(token: string): void {
    this.#known.delete(token)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #use(entry: Known): ReaderSession | 'none' {
    const { session } = entry
    if (session === 'none' || session.expiresAt <= this.#deps.now()) return 'none'
    entry.wasUsed = true
    if (this.#timer === undefined) this.#renewLater()
    return session
  }

  #renewLater(): void {
    this.#timer = this.#isStopped ? undefined : setTimeout(() => this.#renew(), RENEW_MS).unref()
  }

  /** Refreshes all sessions that were used since the last refresh, before their entries expire. */
  async #renew(): Promise<void> {
    const used = [...this.#known].filter(([, { wasUsed }]) => wasUsed).map(([token]) => token)
    await this.#readAll(used).catch(this.#deps.onError)
    this.#timer = undefined
    if (used.length > 0) this.#renewLater()
  }

  /**
   * Looks up a token. Only one query runs at a time, and tokens that arrive in the meantime share
   * the next query.
   */
  #lookUp(token: string): Promise<void> {
    this.#waiting.add(token)
    this.#next ??= (async () => {
      await this.#running?.catch(() => {})
      const tokens = [...this.#waiting]
      this.#waiting = new Set()
      this.#next = undefined
      this.#running = this.#readAll(tokens)
      await this.#running
    })()
    return this.#next
  }

  async #readAll(tokens: readonly string[]): Promise<void> {
    for (let at = 0; at < tokens.length; at += TOKENS_MAX)
      await this.#read(tokens.slice(at, at + TOKENS_MAX))
  }

  async #read(tokens: readonly string[]): Promise<void> {
    const { database, pepper, now } = this.#deps
    const askedAt = now()
    const candidates = tokens.map((token) => ({
      token,
      hashes: pepper.hashes('reader session', token),
    }))
    const rows = await withTimeout(
      database.query<Row>('select * from find_readers($1)', [
        candidates.flatMap((one) => one.hashes),
      ]),
      LOOKUP_MS_MAX,
    )
    const byHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
    const old: Rehash[] = []
    for (const { token, hashes } of candidates) {
      const index = hashes.findIndex((hash) => byHash.has(hash.toString('hex')))
      const [current, stored] = [hashes[0], hashes[index]]
      const row = stored && byHash.get(stored.toString('hex'))
      this.#known.set(token, { session: row ? sessionOf(row) : 'none', askedAt, wasUsed: false })
      if (index > 0 && current && stored) old.push({ stored, current })
    }
    if (old.length > 0) void this.#rehash(old)
    const due = rows.filter((row) => row.is_use_due).map((row) => row.token_hash)
    if (due.length > 0) void this.#recordUses(due)
  }

  /** Records the use of tokens in the background. After an error, the next lookup tries again. */
  async #recordUses(hashes: readonly Buffer[]): Promise<void> {
    const { database, onError } = this.#deps
    await database.query('select note_reader_token_uses($1)', [hashes]).catch(onError)
  }

  /**
   * Replaces the hashes of an old pepper with those of the current one, in the background. After an
   * error, the next lookup tries again.
   */
  async #rehash(old: readonly Rehash[]): Promise<void> {
    const { database, pepper, onError } = this.#deps
    const from = old.map(({ stored }) => stored)
    const to = old.map(({ current }) => current)
    await database.query('select rehash_readers($1, $2, $3)', [from, to, pepper.id]).catch(onError)
  }
}

function sessionOf(row: Row): ReaderSession {
  return {
    projectId: row.project_id,
    way: row.way,
    host: row.host ?? undefined,
    reader: signedInReader(row.groups),
    expiresAt: row.expires_at.getTime(),
  }
}
