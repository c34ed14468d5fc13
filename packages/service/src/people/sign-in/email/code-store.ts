/** SQL about sign-in codes sent by e-mail. */
import type { Database } from '../../../platform/database/database.ts'
import { createPublicId } from '../../../platform/public-id.ts'
import type { Admission } from '../people-store.ts'

export type NewCode = {
  readonly browserHash: Buffer
  readonly codeHash: Buffer
  readonly linkHash: Buffer
  readonly email: string
  readonly next: string
  readonly tries: number
  readonly minutes: number
}

export type TriedCode =
  | { readonly outcome: 'right'; readonly email: string; readonly next: string }
  | {
      readonly outcome: 'wrong'
      readonly email: string
      readonly next: string
      readonly left: number
    }

export function createCodeStore(database: Database) {
  return {
    async maySignIn(email: string, { mayJoin, mayBeInvited }: Admission): Promise<boolean> {
      const [row] = await database.query<{ is: boolean }>(
        'select may_sign_in_by_email($1, $2, $3) as is',
        [email, mayJoin, mayBeInvited],
      )
      return row?.is === true
    },

    async add(code: NewCode): Promise<void> {
      await database.query(
        'select add_sign_in_code($1, $2, $3, $4, $5, $6, make_interval(mins => $7))',
        [
          code.browserHash,
          code.codeHash,
          code.linkHash,
          code.email,
          code.next,
          code.tries,
          code.minutes,
        ],
      )
    },

    /** Tries a code. Returns undefined if the browser has no valid code. */
    async try(browserHash: Buffer, codeHash: Buffer): Promise<TriedCode | undefined> {
      const [row] = await database.query<TriedCode | { readonly outcome: 'over' }>(
        `select outcome, email, next_path as next, tries_left as left from try_sign_in_code($1, $2)`,
        [browserHash, codeHash],
      )
      return row?.outcome === 'over' ? undefined : row
    },

    async readLink(
      hash: Buffer,
    ): Promise<{ readonly email: string; readonly secondsLeft: number } | undefined> {
      const [row] = await database.query<{ email: string; secondsLeft: number }>(
        'select email, seconds_left as "secondsLeft" from read_mailed_link($1)',
        [hash],
      )
      return row
    },

    async spendLink(
      hash: Buffer,
    ): Promise<{ readonly email: string; readonly next: string } | undefined> {
      const [row] = await database.query<{ email: string; next: string }>(
        'select email, next_path as next from spend_mailed_link($1)',
        [hash],
      )
      return row
    },
  }
}

/**
 * Signs a person in with a verified address. Returns the person's id, or undefined if sign-in is
 * not allowed.
 */
export async function signInByEmail(
  database: Database,
  email: string,
  {
    mayJoin,
    mayBeInvited,
    name,
    addressPrefix,
  }: Admission & { readonly name: string; readonly addressPrefix: string | undefined },
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>(
    'select sign_in_by_email($1, $2, $3, $4, $5, $6)::text as id',
    [email, mayJoin, mayBeInvited, createPublicId('usr'), name, addressPrefix ?? null],
  )
  return row?.id ?? undefined
}
