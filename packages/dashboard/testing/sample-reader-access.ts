import { AccessReply, CreatedReaderToken, ReaderTokenList } from '@octavo/contract'
import { NOW } from './sample-facts.ts'
import type { Samples } from './sample-replies.ts'

const DAY = 24 * 60
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

export function sampleReaderAccess({ hostile: h, isEmpty }: Omit<Samples, 'role'>) {
  const one = (id: string, name: string, rest: object) => ({
    id: `rtk_${id.padEnd(16, '0')}`,
    name: `${name}${h}`,
    groups: [],
    createdAt: at(-DAY),
    expiresAt: at(89 * DAY),
    createdBy: 'Jonas Lindqvist',
    lastUsedAt: at(-4),
    ...rest,
  })
  const tokens = [
    one('1', 'Nightly link checker', { createdBy: `Mei Tanaka${h}`, expiresAt: at(334 * DAY) }),
    one('2', 'Claude Code in CI', {}),
    one('3', 'Partner search crawler', { groups: [`partners${h}`], expiresAt: at(6 * DAY) }),
    one('4', 'Audit snapshot 2026', { groups: ['staff', 'auditors'], lastUsedAt: null }),
    one('5', 'Contractor review', {
      createdAt: at(-32 * DAY),
      expiresAt: at(-2 * DAY),
      lastUsedAt: at(-5 * DAY),
      createdBy: null,
    }),
  ]
  return {
    access: AccessReply.parse({
      mode: isEmpty ? 'public' : 'oidc',
      previews: 'default',
      sessionHours: 168,
      modeSetAt: isEmpty ? null : at(-2 * DAY),
      sessions: isEmpty ? 0 : 214,
      hasPassword: !isEmpty,
      passwordSetAt: isEmpty ? null : at(-43 * DAY),
      oidc: isEmpty
        ? null
        : {
            issuer: `https://login.greenhouse.example/${h}`,
            clientId: `docs${h}`,
            hasClientSecret: true,
            clientSecretSetAt: at(-64 * DAY),
            scopes: ['profile', 'email'],
            groupsClaim: 'groups',
          },
      jwt: null,
    }),
    readerTokens: ReaderTokenList.parse({ tokens: isEmpty ? [] : tokens }),
    createdReaderToken: CreatedReaderToken.parse({
      ...one('6', 'CI', {}),
      token: `octavo_rdr_${'x'.repeat(38)}`,
    }),
  }
}
