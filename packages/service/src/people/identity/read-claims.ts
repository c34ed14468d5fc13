/** What a provider says about a person, as far as we use it. */
import { z } from 'zod'
import { domainOf, type GroupRole, type ProviderSettings } from '../sign-in-settings.ts'
import type { Claims } from './identity-provider.ts'

const NAME_LENGTH_MAX = 200
/** As OpenID Connect has it. */
const SUBJECT_LENGTH_MAX = 255
const GROUPS_MAX = 1_000
const Email = z.email().max(254).toLowerCase()

/** True if accounts can be distinguished by it: the database stores it unchanged. */
export const isSubject = (text: string) =>
  text !== '' && text.length <= SUBJECT_LENGTH_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** The address, if the provider says that it has verified it. */
export function readVerifiedEmail(
  claims: Claims,
  { emailVerifiedClaim }: ProviderSettings,
): string | undefined {
  const isVerified = [true, 'true', 1, '1'].includes(claims[emailVerifiedClaim] as string)
  const email = Email.safeParse(claims.email)
  return isVerified && email.success ? email.data : undefined
}

/** A name for people to read; never empty. */
export function readName(claims: Claims): string {
  const [email = ''] = String(claims.email ?? '').split('@')
  const names = [claims.name, claims.preferred_username, email, 'Somebody']
  const clean = names.map((name) =>
    typeof name === 'string'
      ? name
          .toWellFormed()
          .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
          .trim()
      : '',
  )
  const name = clean.find((one) => one !== '') ?? 'Somebody'
  return [...name].slice(0, NAME_LENGTH_MAX / 2).join('')
}

export function isAllowedDomain(
  email: string | undefined,
  { allowedDomains }: ProviderSettings,
): boolean {
  if (allowedDomains.length === 0) return true
  return email !== undefined && allowedDomains.includes(domainOf(email))
}

/** The roles of the groups that somebody is in. */
export function rolesOf(
  claims: Claims,
  { groupsClaim, roles }: ProviderSettings,
): readonly GroupRole[] {
  const groups = readGroups(claims, groupsClaim)
  return roles.filter(({ group }) => group === '*' || groups.includes(group))
}

/** A claim by its name (`groups`), or a claim inside of one (`realm_access.roles`). */
export function readGroups(
  claims: Readonly<Record<string, unknown>>,
  name: string,
): readonly string[] {
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((outer, key) => ownProperty(outer, key), claims)
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list)) return []
  return list.filter((group) => typeof group === 'string').slice(0, GROUPS_MAX)
}

function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
