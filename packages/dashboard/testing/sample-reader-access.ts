import { AccessReply, CreatedReaderToken, ReaderTokenList } from '@octavo/contract'
import { NOW } from './sample-facts.ts'
import type { Samples } from './sample-replies.ts'

const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

export function sampleReaderAccess({ hostile: h, isEmpty }: Omit<Samples, 'role'>) {
  const token = {
    id: 'rtk_5kbu4k41mpelzrqs',
    name: `Link checker${h}`,
    groups: ['staff', `partners${h}`],
    createdAt: at(-12),
    expiresAt: at(48),
  }
  return {
    access: AccessReply.parse({
      mode: isEmpty ? 'public' : 'oidc',
      previews: 'default',
      sessionHours: 168,
      hasPassword: !isEmpty,
      oidc: isEmpty
        ? null
        : {
            issuer: `https://login.greenhouse.example/${h}`,
            clientId: `docs${h}`,
            hasClientSecret: true,
            scopes: ['profile', 'email'],
            groupsClaim: 'groups',
          },
      jwt: null,
    }),
    readerTokens: ReaderTokenList.parse({ tokens: isEmpty ? [] : [token] }),
    createdReaderToken: CreatedReaderToken.parse({
      ...token,
      token: `octavo_rdr_${'x'.repeat(38)}`,
    }),
  }
}
