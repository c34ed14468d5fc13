/**
 * Finds the session of a token. It is called for every request to a private site, so it uses a
 * cache; a session that ended in another process must not work for longer than a second, so
 * recently used sessions are refreshed with one query. Without the database no reader is signed in.
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
  /** The one host that a browser is signed in to; undefined for a token. */
  readonly host: string | undefined
  readonly reader: SiteReader
  readonly expiresAt: number
}

type Known = {
  readonly session: ReaderSession | 'none'
  /** When the query for this result started. */
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
  /** True for a token whose last use is not stored, or more than an hour ago. */
  readonly is_use_due: boolean
}

const KNOWN_MAX = 50_000
/**
 * How long a result is valid, and how often those in use are refreshed: together less than a
 * second.
 */
const FRESH_MS = 800
const RENEW_MS = 350
const LOOKUP_MS_MAX = 2_000
/** The most tokens in one query. */
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

  /** Returns a recent result: a session or `none`; undefined if it has to be looked up. */
  peek(token: string): ReaderSession | 'none' | undefined {
    const entry = this.#known.get(token)
    if (entry === undefined || this.#deps.now() - entry.askedAt > FRESH_MS) return undefined
    return this.#use(entry)
  }

  /** Throws if the database is unavailable. */
  async find(token: string): Promise<ReaderSession | 'none'> {
    const found = this.peek(token)
    if (found !== undefined) return found
    await this.#lookUp(token)
    const entry = this.#known.get(token)
    return entry === undefined ? 'none' : this.#use(entry)
  }

  /** Makes the next request look it up again. */
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

  /** Refreshes the sessions in use before their results expire. Unused sessions cost nothing. */
  async #renew(): Promise<void> {
    const used = [...this.#known].filter(([, { wasUsed }]) => wasUsed).map(([token]) => token)
    await this.#readAll(used).catch(this.#deps.onError)
    this.#timer = undefined
    if (used.length > 0) this.#renewLater()
  }

  /** Runs one query at a time: lookups that arrive meanwhile share the next one. */
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
    const asked = tokens.map((token) => ({ token, hashes: pepper.hashes('reader session', token) }))
    const rows = await withTimeout(
      database.query<Row>('select * from find_readers($1)', [asked.flatMap((one) => one.hashes)]),
      LOOKUP_MS_MAX,
    )
    const byHash = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]))
    const old: Rehash[] = []
    for (const { token, hashes } of asked) {
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

  /** Stores that tokens were used, in the background; the next read tries again. */
  async #recordUses(hashes: readonly Buffer[]): Promise<void> {
    const { database, onError } = this.#deps
    await database.query('select note_reader_token_uses($1)', [hashes]).catch(onError)
  }

  /**
   * Migrates sessions of an old pepper to the current one in the background; the next read tries
   * again.
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
