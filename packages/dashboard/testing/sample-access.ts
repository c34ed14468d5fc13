/** Samples of keys; `hostile` is appended to every user-written text. */
import { ago, DAY } from './sample-facts.ts'

export function sampleKeys(h: string) {
  const one = (id: string, name: string, rest: object) => ({
    id,
    kind: 'admin',
    name: `${name}${h}`,
    lastFour: 'mh17',
    scopes: ['analytics:read'],
    allowedFrom: [],
    createdAt: ago(90 * DAY),
    createdBy: 'user usr_1',
    createdByName: `Amara Okafor${h}`,
    lastUsedAt: ago(12 * 60),
    expiresAt: ago(-43 * DAY),
    ...rest,
  })
  return [
    one('key_1', 'Nightly export', { allowedFrom: ['10.4.0.0/16'], expiresAt: ago(-8 * DAY) }),
    one('key_2', 'GitHub Actions', {
      kind: 'deploy',
      lastFour: 'Q8xd',
      scopes: ['deploy:read', 'deploy:write'],
      lastUsedAt: ago(39),
    }),
    one('key_3', 'Support warehouse', {
      lastFour: 'b0Zt',
      scopes: ['analytics:read', 'analytics:write'],
      replaces: 'key_4',
    }),
    one('key_4', 'Support warehouse', { lastFour: '4Kfe', expiresAt: ago(-7 * DAY) }),
    one('key_5', 'Old importer', {
      lastFour: 'w2Lp',
      revokedAt: ago(20 * DAY),
      expiresAt: undefined,
      lastUsedAt: undefined,
    }),
  ]
}

export function sampleSessions(h: string) {
  const one = (id: string, rest: object) => ({
    id,
    kind: 'browser',
    current: false,
    device: `Firefox on Linux${h}`,
    network: '198.51.100.0/24',
    createdAt: ago(3 * DAY),
    lastSeenAt: ago(1),
    expiresAt: ago(-4 * DAY),
    ...rest,
  })
  return [
    one('ses_1', { current: true }),
    one('ses_2', { device: `Safari on iPhone${h}`, lastSeenAt: ago(600) }),
    one('ses_3', {
      kind: 'command-line',
      device: `octavo 0.9.2 on build-7${h}`,
      network: undefined,
    }),
  ]
}
