/** The operator's settings for signing in. */
import { readFileSync } from 'node:fs'
import { isSecureIssuer, ROLES, type Role } from '@octavo/contract'
import { z } from 'zod'
import type { MailSettings } from '../platform/mail/mailer.ts'
import { booleanValue, refuse, splitList, type ValuesOf } from '../platform/settings-values.ts'

export type SignInSettings = {
  readonly providers: readonly ProviderSettings[]
  readonly signUp: SignUpPolicy
  /** True if people can sign in only with a provider or with a login link from the operator. */
  readonly isOidcOnly: boolean
  readonly mail: MailSettings | undefined
}

/** Rules for who can get a new account. */
export type SignUpPolicy =
  /** Only the operator creates accounts. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'invited' }
  /** Invited people, and everyone with an e-mail address in these domains. */
  | { readonly kind: 'domains'; readonly domains: readonly string[] }

export type ProviderSettings = {
  /** Part of the provider's URL paths. */
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  /** Domains of allowed e-mail addresses. An empty list allows all domains. */
  readonly allowedDomains: readonly string[]
  /** The claim that says whether the e-mail address was verified. */
  readonly emailVerifiedClaim: string
  readonly groupsClaim: string
  readonly roles: readonly GroupRole[]
  /** True if everyone with an account at the provider can sign up. */
  readonly newPeople: boolean
}

/** A role that members of a group get when they sign in; `*` matches everyone. */
export type GroupRole = {
  readonly group: string
  readonly organization: string
  readonly project?: string | undefined
  readonly role: Role
}

export const NO_SIGN_IN: SignInSettings = {
  providers: [],
  signUp: { kind: 'invited' },
  isOidcOnly: false,
  mail: undefined,
}

const DOMAIN = /^(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}$/
const domain = z.string().toLowerCase().regex(DOMAIN)
const text = z.string().min(1).max(2_000)

const Provider = z
  .strictObject({
    id: z.string().regex(/^[a-z\d][a-z\d-]{0,31}$/),
    name: z.string().min(1).max(60),
    issuer: z.url({ protocol: /^https?$/ }),
    clientId: text,
    clientSecret: text.optional(),
    clientSecretFile: text.optional(),
    scopes: z.array(text).default(['openid', 'email', 'profile']),
    allowedDomains: z.array(domain).default([]),
    emailVerifiedClaim: text.default('email_verified'),
    groupsClaim: text.default('groups'),
    roles: z
      .array(
        z.strictObject({
          group: text,
          organization: z.string().regex(/^org_[\da-z]{16}$/),
          project: z
            .string()
            .regex(/^prj_[\da-z]{16}$/)
            .optional(),
          role: z.enum(ROLES),
        }),
      )
      .default([]),
    newPeople: z.boolean().default(false),
  })
  .refine(({ issuer }) => isSecureIssuer(issuer), { path: ['issuer'] })

/** The expected value of each field, for all error messages about the field. */
const EXPECTED: Readonly<Record<string, string>> = {
  id: 'Expected lower-case letters, digits and hyphens, 32 at most, such as work.',
  name: 'Expected 1 to 60 characters, such as Work.',
  issuer:
    'Expected https:, or http: on this machine. Use the URL of the issuer, such as https://id.example.com.',
  clientId: 'Expected the client ID, such as octavo.',
  clientSecret: 'Expected the client secret that the provider shows.',
  clientSecretFile: 'Expected the path of a file, such as /run/secrets/client.',
  scopes: 'Expected a list of scopes, such as ["openid", "email", "profile"].',
  allowedDomains: 'Expected a list of domains, such as ["example.com"].',
  emailVerifiedClaim: 'Expected the name of a claim, such as email_verified.',
  groupsClaim: 'Expected the name of a claim, such as groups.',
  roles:
    'Expected a list such as [{"group": "docs", "organization": "org_5kbu4k41mpelzrqs", "role": "editor"}].',
  group: 'Expected the name of a group, such as docs.',
  organization: 'Expected the id of an organization, such as org_5kbu4k41mpelzrqs.',
  project: 'Expected the id of a project, such as prj_5kbu4k41mpelzrqs.',
  role: `Expected ${ROLES.join(', ')}, such as editor.`,
  newPeople: 'Expected true or false.',
}
const EXPECTED_PROVIDER =
  'Expected a JSON array of providers, such as [{"id": "work", "name": "Work", "issuer": "https://id.example.com", "clientId": "octavo"}].'

function readProviders(json: string, context: z.RefinementCtx): readonly ProviderSettings[] {
  const refuseAs = (reason: string) => refuse(context, `OCTAVO_SIGN_IN_PROVIDERS: ${reason}`)
  let value: unknown
  try {
    value = json.trim() === '' ? [] : JSON.parse(json)
  } catch {
    return refuseAs(EXPECTED_PROVIDER)
  }
  const parsed = z.array(Provider).safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuseAs(issue === undefined ? EXPECTED_PROVIDER : describeIssue(issue))
  }
  const ids = parsed.data.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return refuseAs(`The id "${twice}" is used twice.`)
  const unreadable: string[] = []
  const providers = parsed.data.map(({ clientSecretFile, ...provider }) => {
    if (clientSecretFile === undefined) return { ...provider, clientSecret: provider.clientSecret }
    try {
      return { ...provider, clientSecret: readFileSync(clientSecretFile, 'utf8').trim() }
    } catch {
      unreadable.push(clientSecretFile)
      return { ...provider, clientSecret: undefined }
    }
  })
  return unreadable.length > 0 ? refuseAs(`${unreadable[0]} cannot be read.`) : providers
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `
  if (issue.code === 'unrecognized_keys')
    return `${place}Unknown field "${issue.keys[0]}". Expected fields such as ${Object.keys(Provider.shape).join(', ')}.`
  const field = issue.path.findLast((part) => typeof part === 'string')
  return place + (EXPECTED[String(field)] ?? EXPECTED_PROVIDER)
}

/** Reads OCTAVO_SIGN_UP: `closed`, `invited`, or domains. */
function readSignUp(value: string, context: z.RefinementCtx): SignUpPolicy {
  if (value === 'closed' || value === 'invited') return { kind: value }
  const domains = splitList(value.toLowerCase())
  if (domains.length > 0 && domains.every((part) => DOMAIN.test(part)))
    return { kind: 'domains', domains }
  return refuse(
    context,
    'OCTAVO_SIGN_UP must be closed, invited, or a list of domains such as example.com,example.org.',
  )
}

export const SIGN_IN_VARIABLES = {
  /** OpenID providers to sign in with, as a JSON array. */
  OCTAVO_SIGN_IN_PROVIDERS: z.string().default('').transform(readProviders),
  /** The sign-up policy: `closed`, `invited`, or domains. */
  OCTAVO_SIGN_UP: z.string().default('invited').transform(readSignUp),
  /** Allows signing in only with a provider or with a login link from the operator. */
  OCTAVO_OIDC_ONLY: booleanValue('OCTAVO_OIDC_ONLY').default(false),
  /** The mail server for codes and invitations. Their sender is OCTAVO_MAIL_FROM. */
  OCTAVO_SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error:
        'OCTAVO_SMTP_URL must be the URL of a mail server, such as smtps://user:password@mail.example.com.',
    })
    .optional(),
  OCTAVO_MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
      error: 'OCTAVO_MAIL_FROM must be an e-mail address, such as Octavo <octavo@example.com>.',
    })
    .optional(),
}

/** Returns the settings, or an error message. */
export function readSignIn(data: ValuesOf<typeof SIGN_IN_VARIABLES>): SignInSettings | string {
  const { OCTAVO_SMTP_URL: smtpUrl, OCTAVO_MAIL_FROM: from } = data
  if ((smtpUrl === undefined) !== (from === undefined))
    return 'OCTAVO_SMTP_URL and OCTAVO_MAIL_FROM belong together: set both or neither.'
  if (data.OCTAVO_OIDC_ONLY && data.OCTAVO_SIGN_IN_PROVIDERS.length === 0)
    return 'OCTAVO_OIDC_ONLY needs OCTAVO_SIGN_IN_PROVIDERS: otherwise sign-in would be impossible.'
  return {
    providers: data.OCTAVO_SIGN_IN_PROVIDERS,
    signUp: data.OCTAVO_SIGN_UP,
    isOidcOnly: data.OCTAVO_OIDC_ONLY,
    mail: smtpUrl === undefined || from === undefined ? undefined : { smtpUrl, from },
  }
}

/** Returns what the policy allows for an e-mail address without an account. */
export function admissionOf(signUp: SignUpPolicy, email: string) {
  return {
    mayJoin: signUp.kind === 'domains' && signUp.domains.includes(domainOf(email)),
    mayBeInvited: signUp.kind !== 'closed',
  }
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
