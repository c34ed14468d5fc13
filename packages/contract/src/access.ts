/** API schemas for site access. */
import { z } from 'zod'

/**
 * The sign-in method of a site's readers. With `public`, anonymous readers see all pages without an
 * access label.
 */
export const PROTECTIONS = ['public', 'password', 'members', 'oidc', 'jwt'] as const
export type Protection = (typeof PROTECTIONS)[number]

/** The sign-in method of a reader; `token` is for programs. */
export type ReaderSignInMethod = Exclude<Protection, 'public'> | 'token'

export const PREVIEW_ACCESS = ['default', 'site', 'members'] as const

const INSTANT = '2026-01-31T09:30:00.000Z'
const PASSWORD_LENGTH_MIN = 8
const PASSWORD_LENGTH_MAX = 200
const SESSION_HOURS_MAX = 720
const DAY_MINUTES = 24 * 60
const TOKEN_MINUTES_MAX = 365 * DAY_MINUTES
const TOKEN_MINUTES = 60
const KEYS_MAX = 10
const SCOPES_MAX = 20
/** The maximum number of groups in a session. */
export const GROUPS_MAX = 100
export const GROUP_LENGTH_MAX = 200

const Mode = z.enum(PROTECTIONS).meta({
  description:
    'Who can read the site. `public`: everyone. `password`: everyone who knows one password. `members`: members of the organization. `oidc`: people with an account at your OpenID provider. `jwt`: people whom your own server signs in.',
})

const Previews = z.enum(PREVIEW_ACCESS).meta({
  description:
    '`site`: readers of previews sign in like readers of the site. `members`: only members read previews. `default`: `members` if the repository is private, otherwise `site`.',
})

/** PostgreSQL cannot store NUL, and a lone surrogate is not valid text. */
const isText = (value: string) => !/\p{Cc}/u.test(value) && value.isWellFormed()

const text = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .refine(isText, { error: 'Expected text without control characters.' })

const secureUrl = z
  .url({ protocol: /^https?$/, error: 'Expected a URL that starts with https:.' })
  .max(2_000)
  .refine((value) => isText(value) && isSecureIssuer(value), {
    error: 'Expected a URL that starts with https:.',
  })

const Jwk = z.strictObject({
  kty: z.enum(['OKP', 'EC']),
  crv: z.enum(['Ed25519', 'P-256']),
  x: z.string(),
  y: z.string().optional(),
  kid: z.string().optional(),
})
export type PublicJwk = z.infer<typeof Jwk>

export const AccessReply = z.strictObject({
  mode: Mode,
  previews: Previews,
  sessionHours: z.number().meta({ description: 'How long a reader stays signed in.' }),
  modeSetAt: z
    .string()
    .nullable()
    .meta({
      description: 'When the mode was chosen; null for the mode that the project started with.',
      examples: [INSTANT],
    }),
  sessions: z.number().meta({
    description: 'How many browsers are signed in, counted up to 10,000.',
  }),
  hasPassword: z
    .boolean()
    .meta({ description: 'Whether a password is stored. It is never shown.' }),
  passwordSetAt: z
    .string()
    .nullable()
    .meta({ examples: [INSTANT] }),
  oidc: z
    .strictObject({
      issuer: z.string().nullable(),
      clientId: z.string().nullable(),
      hasClientSecret: z.boolean().meta({ description: 'It is never shown.' }),
      clientSecretSetAt: z
        .string()
        .nullable()
        .meta({ examples: [INSTANT] }),
      scopes: z.array(z.string()),
      groupsClaim: z.string(),
    })
    .nullable(),
  jwt: z.strictObject({ loginUrl: z.string().nullable(), keys: z.array(Jwk) }).nullable(),
})
export type AccessReply = z.infer<typeof AccessReply>

const OidcBody = z.strictObject({
  issuer: secureUrl.optional().meta({
    description: "The provider's issuer. If you change it, the client secret is required again.",
    examples: ['https://login.example.com'],
  }),
  clientId: text(500).optional(),
  clientSecret: text(4_000)
    .nullable()
    .optional()
    .meta({ description: 'If omitted, the stored secret is kept. Null for a public client.' }),
  scopes: z
    .array(text(200).regex(/^[\x21-\x7e]+$/, { error: 'Expected a scope without spaces.' }))
    .max(SCOPES_MAX)
    .optional()
    .meta({ description: 'Scopes to request in addition to `openid`.', examples: [['profile']] }),
  groupsClaim: text(200)
    .optional()
    .meta({
      description:
        'The claim with the groups of a reader: a name, or a path such as `realm_access.roles`.',
      examples: ['groups'],
    }),
})

const JwtBody = z.strictObject({
  loginUrl: secureUrl.optional().meta({
    description:
      'The URL where readers sign in. They arrive with `?redirect=` and the path that they requested.',
    examples: ['https://app.example.com/docs-login'],
  }),
  keys: z
    .array(
      z.union([z.string().max(2_000), z.looseObject({ kty: z.string() })], {
        error: 'Expected a public key: PEM or JWK.',
      }),
    )
    .max(KEYS_MAX)
    .optional()
    .meta({ description: 'Public keys for EdDSA (Ed25519) or ES256 (P-256), each as PEM or JWK.' }),
})

/** Omitted settings stay unchanged. */
export const AccessBody = z.strictObject({
  mode: Mode.optional(),
  previews: Previews.optional(),
  sessionHours: z.number().int().min(1).max(SESSION_HOURS_MAX).optional(),
  password: z
    .string()
    .min(PASSWORD_LENGTH_MIN, { error: `Expected ${PASSWORD_LENGTH_MIN} characters or more.` })
    .max(PASSWORD_LENGTH_MAX)
    .refine((value) => value.isWellFormed() && !/[\r\n\0]/.test(value), {
      error: 'Expected one line of text.',
    })
    .optional()
    .meta({ description: 'Stored as a hash (scrypt).', examples: ['correct horse battery'] }),
  oidc: OidcBody.nullable().optional(),
  jwt: JwtBody.nullable().optional(),
})
export type AccessBody = z.infer<typeof AccessBody>

const ReaderToken = z.strictObject({
  id: z.string().meta({ examples: ['rtk_5kbu4k41mpelzrqs'] }),
  name: z.string(),
  groups: z.array(z.string()),
  createdAt: z.string().meta({ examples: [INSTANT] }),
  expiresAt: z.string().meta({ examples: ['2026-01-31T10:30:00.000Z'] }),
  createdBy: z
    .string()
    .nullable()
    .meta({
      description: 'The name of the person or API key; null if it was deleted.',
      examples: ['Mei Tanaka'],
    }),
  lastUsedAt: z
    .string()
    .nullable()
    .meta({
      description:
        'When a program last sent the token, accurate to the hour; null if it was never used.',
      examples: [INSTANT],
    }),
})
export type ReaderToken = z.infer<typeof ReaderToken>

export const ReaderTokenList = z.strictObject({ tokens: z.array(ReaderToken) })
export type ReaderTokenList = z.infer<typeof ReaderTokenList>

export const ReaderTokenBody = z.strictObject({
  name: text(100).meta({ description: 'The purpose of the token.', examples: ['Link checker'] }),
  groups: z.array(text(GROUP_LENGTH_MAX)).max(GROUPS_MAX).default([]).meta({
    description:
      'Groups whose pages the token can read, in addition to the pages for all signed-in readers.',
  }),
  minutes: z
    .number()
    .int()
    .min(1)
    .max(TOKEN_MINUTES_MAX)
    .default(TOKEN_MINUTES)
    .meta({
      description: 'How long the token is valid: an hour unless you set it, a year at most.',
      examples: [90 * DAY_MINUTES],
    }),
})

export const CreatedReaderToken = ReaderToken.extend({
  token: z.string().meta({
    description: 'The token, shown only once. Send it as `Authorization: Bearer`.',
    examples: ['octavo_rdr_…'],
  }),
})

/** Returns true if tokens are encrypted in transit, or stay on this machine. */
export function isSecureIssuer(issuer: string): boolean {
  const url = URL.parse(issuer)
  return (
    url?.protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '')
  )
}
