/**
 * Signs in the CLI, which shows a code and polls until a person has allowed the sign-in in a
 * browser.
 */

import { DeviceBody, DeviceReply, DeviceTokenBody, DeviceTokenReply } from '@octavo/contract'
import { z } from 'zod'
import { addressPrefix } from '../../../platform/audit/store.ts'
import type { Database } from '../../../platform/database/database.ts'
import { defineRoute, type Route } from '../../../platform/http/route.ts'
import { countAttempt } from '../../../platform/limits/hourly-limit.ts'
import { Problem } from '../../../platform/problem.ts'
import { findByHash, type PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import { createToken, isWellFormedToken } from '../../../platform/secrets/token.ts'
import type { Sessions } from '../../sessions/sessions.ts'
import { createDeviceStore } from './store.ts'
import { createUserCode } from './user-code.ts'

const NONE = z.object({})
const SHARED = {
  tag: 'People',
  caller: { kind: 'nobody' },
  params: NONE,
  query: NONE,
  formats: ['application/json'],
} as const
const MINUTES = 10
const INTERVAL_SECONDS = 3
const LIMIT_PER_ADDRESS = { action: 'device-address', perHour: 60 }

export type DeviceDeps = {
  readonly database: Database
  readonly sessions: Sessions
  readonly pepper: PepperRing
  readonly url: string | undefined
}

export const deviceRoutes = (deps: DeviceDeps): readonly Route[] => [
  beginDevice(deps),
  pollDevice(deps),
]

const beginDevice = ({ database, pepper, url }: DeviceDeps) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: '/v1/device',
    summary: 'Start a command-line sign-in',
    description: `Returns a code that a person enters in their browser within ${MINUTES} minutes.`,
    body: DeviceBody,
    reply: DeviceReply,
    status: 201,
    problems: ['conflict', 'rate-limited'],
    async handle({ body: { name }, clientAddress }) {
      if (url === undefined)
        throw new Problem('conflict', 'Sign-in is not available because OCTAVO_URL is not set.')
      const network = addressPrefix(clientAddress)
      if (!(await countAttempt({ database, pepper }, LIMIT_PER_ADDRESS, network ?? '')))
        throw new Problem('rate-limited', 'Too many sign-ins from this network. Try again later.')
      const deviceCode = createToken('link')
      const userCode = createUserCode()
      const isAdded = await createDeviceStore(database).add({
        deviceHash: pepper.hash('device code', deviceCode),
        codeHash: pepper.hash('device user code', userCode),
        name: name.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' '),
        addressPrefix: network,
        minutes: MINUTES,
      })
      if (!isAdded) throw new Problem('conflict', 'Please try again.')
      return {
        deviceCode,
        userCode,
        verificationUrl: new URL('/device', url).href,
        expiresInSeconds: MINUTES * 60,
        intervalSeconds: INTERVAL_SECONDS,
      }
    },
  })

const pollDevice = ({ database, sessions, pepper }: DeviceDeps) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: '/v1/device/token',
    summary: 'Get the state of a command-line sign-in',
    description:
      'Returns a session token after the person has allowed the sign-in. The token is returned only once.',
    body: DeviceTokenBody,
    reply: DeviceTokenReply,
    async handle({ body: { deviceCode }, clientAddress }): Promise<DeviceTokenReply> {
      if (!isWellFormedToken(deviceCode)) return { state: 'expired' }
      const store = createDeviceStore(database)
      const hashes = pepper.hashes('device code', deviceCode)
      const known = await findByHash(hashes, (hash) => store.poll(hash, INTERVAL_SECONDS))
      if (known === undefined) return { state: 'expired' }
      const polled = known.found
      if (polled.state !== 'allowed' || polled.person === undefined)
        return { state: polled.state === 'allowed' ? 'expired' : polled.state }
      const token = await sessions.begin(polled.person, {
        method: 'command-line',
        kind: 'command-line',
        userAgent: polled.device,
        clientAddress,
      })
      return token === undefined ? { state: 'expired' } : { state: 'allowed', token }
    },
  })
