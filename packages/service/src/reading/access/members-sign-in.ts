/**
 * Signs in members of the organization: they sign in on the dashboard and return to the site with a
 * code. The code is for one host, project, person and browser. It can be used once, within a
 * minute.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { createSealer, type Sealer } from '../../people/identity/sealed-value.ts'
import { spendOnce } from '../../people/identity/spend-once.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type SessionDeps, startSession } from './begin-session.ts'
import {
  ATTEMPT_COOKIE,
  attemptCookie,
  type ReaderExchange,
  type ReaderReply,
  readReaderCookie,
  refusal,
} from './reader-exchange.ts'
import { createAccessStore } from './settings-store.ts'

export const CODE_SECONDS = 60
const ATTEMPT_SECONDS = 10 * 60

const Attempt = z.strictObject({ host: z.string(), state: z.string(), to: z.string() })

/** A request to the dashboard for a code. The person is sent back to `path` on `host`. */
export const CodeRequest = z.strictObject({ host: z.string(), path: z.string(), state: z.string() })
const Code = z.strictObject({
  host: z.string(),
  projectId: z.string(),
  userId: z.string(),
  isVerified: z.boolean().default(false),
  state: z.string(),
})

type SealerDeps = { readonly pepper: PepperRing; readonly now: () => number }

/**
 * Creates the sealers that both sides use: the site that requests a code, and the dashboard that
 * issues it.
 */
export const createCodeSealers = (deps: SealerDeps): { requests: Sealer; codes: Sealer } => ({
  requests: createSealer('reader code request', deps),
  codes: createSealer('reader code', deps),
})

export const STALE = 'This sign-in was started in another browser or has expired. Sign in again.'

export type MembersDeps = SessionDeps &
  SealerDeps & {
    /** The URL of the service and its dashboard. */
    readonly url: string
  }

export function createMembersSignIn(deps: MembersDeps) {
  const { database } = deps
  const { requests, codes } = createCodeSealers(deps)
  const attempts = createSealer('reader members', deps)

  return {
    async begin({ host, basePath, to }: ReaderExchange): Promise<ReaderReply> {
      const state = randomBytes(32).toString('base64url')
      const url = new URL('/readers/sign-in', deps.url)
      const codeRequest = { host, path: `${basePath}/login/code`, state }
      url.searchParams.set('request', requests.seal(codeRequest, ATTEMPT_SECONDS))
      const sealed = attempts.seal({ host, state, to }, ATTEMPT_SECONDS)
      return { kind: 'redirect', url: url.href, cookies: [attemptCookie(sealed, ATTEMPT_SECONDS)] }
    },

    async finish(exchange: ReaderExchange): Promise<ReaderReply> {
      const { pointer, host, url } = exchange
      const attempt = Attempt.safeParse(attempts.open(readReaderCookie(exchange, ATTEMPT_COOKIE)))
      const text = url.searchParams.get('code') ?? ''
      const code = Code.safeParse(codes.open(text))
      if (!attempt.success || !code.success) return refusal(exchange, STALE)
      const isForHere =
        code.data.host === host &&
        attempt.data.host === host &&
        code.data.projectId === pointer.projectId &&
        isSameText(code.data.state, attempt.data.state)
      if (!isForHere) return refusal(exchange, STALE)
      if (!(await spendOnce(database, `reader code ${text}`, CODE_SECONDS * 2)))
        return refusal(exchange, STALE)
      const settings = await createAccessStore(database.forProject(pointer)).read()
      return startSession(deps, exchange, {
        way: 'members',
        groups: [],
        member: { userId: code.data.userId, isVerified: code.data.isVerified },
        seconds: settings.sessionHours * 3_600,
        epoch: settings.epoch,
        to: attempt.data.to,
      })
    },
  }
}
