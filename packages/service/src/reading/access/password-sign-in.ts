import { type ReaderBrand, renderPasswordForm } from '@octavo/dashboard'
import type { ManifestRoot } from '@octavo/model'
import { addressPrefix } from '../../platform/audit/store.ts'
import { addressOf, type FindClientAddress } from '../../platform/http/client-address.ts'
import { countAttempt, hasAttemptsLeft } from '../../platform/limits/hourly-limit.ts'
import { type SessionDeps, startSession } from './begin-session.ts'
import { createPasswordCheck } from './password.ts'
import { type ReaderExchange, type ReaderReply, readOwnForm } from './reader-exchange.ts'
import { createAccessStore } from './settings-store.ts'

export type PasswordDeps = SessionDeps & {
  readonly findClientAddress: FindClientAddress
  readonly brandOf: (root: ManifestRoot) => Promise<ReaderBrand | undefined>
}

/**
 * Limits for wrong passwords. Correct passwords do not count, because all employees of a company
 * may use the same network.
 */
const OF_NETWORK = { action: 'reader-password', perHour: 20 }
const OF_PROJECT = { action: 'reader-password-all', perHour: 2_000 }
const PASSWORD_LENGTH_MAX = 200
const RETRY_SECONDS = '3600'

/** Signs readers in with the password that all readers of the site share. */
export function createPasswordSignIn(deps: PasswordDeps) {
  const checkPassword = createPasswordCheck()

  const show = async (
    exchange: ReaderExchange,
    error?: string,
    status = 200,
  ): Promise<ReaderReply> => {
    const { basePath: base, host, to } = exchange
    const action = `${base}/login?to=${encodeURIComponent(to)}`
    const brand = await deps.brandOf(exchange.root)
    const headers = status === 429 ? { 'retry-after': RETRY_SECONDS } : {}
    return {
      kind: 'page',
      status,
      html: renderPasswordForm({ base, host, action, error, brand }),
      headers,
    }
  }

  async function signIn(exchange: ReaderExchange): Promise<ReaderReply> {
    const { pointer, request } = exchange
    const password = (await readOwnForm(exchange)).get('password') ?? ''
    const address = addressOf(request, deps.findClientAddress)
    const network = `${pointer.projectId} ${addressPrefix(address)}`
    const isFew =
      (await hasAttemptsLeft(deps, OF_NETWORK, network)) &&
      (await hasAttemptsLeft(deps, OF_PROJECT, pointer.projectId))
    if (!isFew) return show(exchange, 'Too many wrong passwords. Try again in an hour.', 429)
    const settings = await createAccessStore(deps.database.forProject(pointer)).read()
    const isLong = password.length > PASSWORD_LENGTH_MAX
    const isRight = await checkPassword(isLong ? '' : password, settings.passwordHash)
    if (!isRight) {
      await countAttempt(deps, OF_NETWORK, network)
      await countAttempt(deps, OF_PROJECT, pointer.projectId)
      return show(exchange, 'This password is wrong.', 403)
    }
    return startSession(deps, exchange, {
      way: 'password',
      groups: [],
      member: undefined,
      seconds: settings.sessionHours * 3_600,
      epoch: settings.epoch,
      to: exchange.to,
    })
  }

  return { show, signIn }
}
