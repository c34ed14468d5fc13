import type { Database } from '../src/platform/database/database.ts'

/** Adds a row to every sign-in table, including tables without a user. */
export async function fillSignIn(owner: Database, userId: string): Promise<void> {
  const hash = Buffer.from(`hash ${userId}`)
  const until = `now() + interval '1 hour'`
  await owner.query(
    `insert into user_identity (user_id, issuer, subject) values ($1, 'https://id.example', $2)`,
    [userId, userId],
  )
  await owner.query(
    `insert into passkey (user_id, credential_id, public_key, counter, name, is_synced)
     values ($1, $2, $2, 0, 'test', true)`,
    [userId, hash],
  )
  await owner.query(
    `insert into recovery_code (user_id, code_hash, pepper_id) values ($1, $2, 'x')`,
    [userId, hash],
  )
  await owner.query(
    `insert into sign_in_link (token_hash, kind, user_id, expires_at) values ($2, 'login', $1, ${until})`,
    [userId, hash],
  )
  await owner.query(`insert into used_token (token_hash, expires_at) values ($1, ${until})`, [hash])
  await owner.query('insert into sign_in_count (key_hash, began_at, used) values ($1, now(), 1)', [
    hash,
  ])
  await owner.query(
    `insert into sign_in_code (browser_hash, code_hash, link_hash, email, next_path, tries_left, expires_at)
     values ($1, $1, $1, 'a@example.com', '/', 5, ${until})`,
    [hash],
  )
  await owner.query(
    `insert into device_request (device_hash, code_hash, device, expires_at) values ($1, $1, 'test', ${until})`,
    [hash],
  )
}
