/**
 * Changes the access settings of a site. The settings are validated as a whole, and stored together
 * with an entry in the audit log.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AccessBody, AccessReply, PublicJwk } from '@octavo/contract'
import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import { joinTransaction, type ProjectDatabase } from '../../platform/database/database.ts'
import { type PathError, Problem } from '../../platform/problem.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { parsePublicKey } from './parse-public-key.ts'
import { hashPassword } from './password.ts'
import { type AccessSettings, CLIENT_SECRET, createAccessStore } from './settings-store.ts'

export type AccessDeps = {
  readonly database: ProjectDatabase
  readonly secretKeys: readonly SecretKey[]
}

const SCOPES = ['profile', 'email']
const GROUPS_CLAIM = 'groups'

export async function changeAccess(
  { database, secretKeys }: AccessDeps,
  body: AccessBody,
  requester: Requester,
): Promise<void> {
  const clientSecret = body.oidc?.clientSecret
  if (typeof clientSecret === 'string' && secretKeys.length === 0)
    throw new Problem(
      'conflict',
      'This service stores no secrets: OCTAVO_SECRET_KEYS is not set.',
      { param: 'oidc.clientSecret' },
    )
  // Hashing is slow, so it is done before the transaction.
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password)
  const store = createAccessStore(database)
  await database.transaction(async (query) => {
    const before = await store.readLocked(query)
    const after = merge(before, body, passwordHash)
    refuseIncomplete(after)
    const joined = joinTransaction(database, query)
    const secrets =
      secretKeys.length > 0 ? createSecretStore(joined, createKeyRing(secretKeys)) : undefined
    // A client secret belongs to one issuer and must not be sent to a different one.
    const isMoved = before.oidc?.issuer !== after.oidc?.issuer
    if (isMoved || clientSecret === null) await secrets?.remove(CLIENT_SECRET)
    if (typeof clientSecret === 'string') await secrets?.write(CLIENT_SECRET, clientSecret)
    const shown = [showSettings(before), showSettings(after)] as const
    const hasNew = {
      ...(passwordHash !== undefined && { hasNewPassword: true }),
      ...(typeof clientSecret === 'string' && { hasNewClientSecret: true }),
    }
    if (isDeepStrictEqual(shown[0], shown[1]) && Object.keys(hasNew).length === 0) return
    await store.write(query, after)
    if (endsSessions(before, after)) await store.endSessions(query)
    await insertAudit(query, {
      ...requester,
      action: 'access.set',
      before: shown[0],
      after: { ...shown[1], ...hasNew },
    })
  })
}

export async function showAccess({ database, secretKeys }: AccessDeps): Promise<AccessReply> {
  const store = createAccessStore(database)
  const settings = await store.read()
  const state = await store.readState()
  const { oidc } = settings
  const secret = oidc && (await readClientSecret({ database, secretKeys }))
  const { jwt, ...shown } = showSettings(settings)
  return {
    ...shown,
    modeSetAt: state.modeSetAt?.toISOString() ?? null,
    passwordSetAt: state.passwordSetAt?.toISOString() ?? null,
    sessions: state.sessions,
    oidc: oidc
      ? {
          issuer: oidc.issuer ?? null,
          clientId: oidc.clientId ?? null,
          hasClientSecret: secret !== undefined,
          clientSecretSetAt:
            secret === undefined ? null : (state.clientSecretSetAt?.toISOString() ?? null),
          scopes: [...oidc.scopes],
          groupsClaim: oidc.groupsClaim,
        }
      : null,
    jwt: jwt ? { loginUrl: jwt.loginUrl ?? null, keys: [...jwt.keys] } : null,
  }
}

export async function readClientSecret({
  database,
  secretKeys,
}: AccessDeps): Promise<string | undefined> {
  if (secretKeys.length === 0) return undefined
  return createSecretStore(database, createKeyRing(secretKeys)).read(CLIENT_SECRET)
}

/** Returns the settings without secrets. */
const showSettings = ({ passwordHash, epoch: _, endedAt: __, ...rest }: AccessSettings) => ({
  ...rest,
  hasPassword: passwordHash !== undefined,
})

function merge(
  before: AccessSettings,
  body: AccessBody,
  passwordHash: string | undefined,
): AccessSettings {
  const { clientSecret: _, ...oidc } = body.oidc ?? {}
  const { keys, ...jwt } = body.jwt ?? {}
  return {
    epoch: before.epoch,
    endedAt: before.endedAt,
    mode: body.mode ?? before.mode,
    previews: body.previews ?? before.previews,
    sessionHours: body.sessionHours ?? before.sessionHours,
    passwordHash: passwordHash ?? before.passwordHash,
    oidc: changed(body.oidc, before.oidc, {
      ...before.oidc,
      ...oidc,
      scopes: oidc.scopes ?? before.oidc?.scopes ?? SCOPES,
      groupsClaim: oidc.groupsClaim ?? before.oidc?.groupsClaim ?? GROUPS_CLAIM,
    }),
    jwt: changed(body.jwt, before.jwt, {
      ...before.jwt,
      ...jwt,
      keys: keys === undefined ? (before.jwt?.keys ?? []) : parseKeys(keys),
    }),
  }
}

/**
 * Returns the new value of a setting: unchanged if the input is undefined, and removed if it is
 * null.
 */
function changed<Value>(
  input: unknown,
  before: Value | undefined,
  after: Value,
): Value | undefined {
  if (input === undefined) return before
  return input === null ? undefined : after
}

function parseKeys(
  keys: readonly (string | Readonly<Record<string, unknown>>)[],
): readonly PublicJwk[] {
  const parsed = keys.map(parsePublicKey)
  const errors = parsed.flatMap((one, index) =>
    one.kind === 'refused' ? [{ path: `jwt.keys.${index}`, reason: one.reason }] : [],
  )
  const [first] = errors
  if (first !== undefined)
    throw new Problem('invalid-request', first.reason, { param: first.path, errors })
  return parsed.flatMap((one) => (one.kind === 'key' ? [one.jwk] : []))
}

/** Rejects a mode whose settings are incomplete, because no reader could sign in. */
function refuseIncomplete({ mode, passwordHash, oidc, jwt }: AccessSettings): void {
  const errors: PathError[] = []
  const need = (path: string, isSet: boolean, reason: string) => {
    if (!isSet) errors.push({ path, reason })
  }
  if (mode === 'password') need('password', passwordHash !== undefined, 'Set a password.')
  if (mode === 'oidc') {
    need('oidc.issuer', oidc?.issuer !== undefined, 'Set the issuer of your OpenID provider.')
    need(
      'oidc.clientId',
      oidc?.clientId !== undefined,
      'Set the client ID that your OpenID provider issued for this site.',
    )
  }
  if (mode === 'jwt') {
    need('jwt.loginUrl', jwt?.loginUrl !== undefined, 'Set the URL where readers sign in.')
    need('jwt.keys', (jwt?.keys.length ?? 0) > 0, 'Set the public key of your server.')
  }
  if (errors.length > 0)
    throw new Problem(
      'unprocessable',
      `The mode ${mode} needs settings that are missing: ${errors.map(({ path }) => path).join(', ')}.`,
      { param: 'mode', errors },
    )
}

/** Returns true if the change requires readers to sign in again. */
function endsSessions(before: AccessSettings, after: AccessSettings): boolean {
  const what = ({ mode, passwordHash, oidc, jwt }: AccessSettings) => ({
    mode,
    passwordHash,
    issuer: oidc?.issuer,
    clientId: oidc?.clientId,
    groupsClaim: oidc?.groupsClaim,
    keys: jwt?.keys ?? [],
  })
  return !isDeepStrictEqual(what(before), what(after))
}
