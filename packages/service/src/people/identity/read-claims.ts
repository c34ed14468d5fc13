/** Reads the claims that the service uses about a person. */
import { z } from 'zod'
import { domainOf, type GroupRole, type ProviderSettings } from '../sign-in-settings.ts'
import type { Claims } from './identity-provider.ts'

const NAME_LENGTH_MAX = 200
/** The maximum length in the OpenID Connect specification. */
const SUBJECT_LENGTH_MAX = 255
const GROUPS_MAX = 1_000
const Email = z.email().max(254).toLowerCase()

/**
 * Returns true if the database can store the subject unchanged. Otherwise, it could not identify
 * one account.
 */
export const isSubject = (text: string) =>
  text !== '' && text.length <= SUBJECT_LENGTH_MAX && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** Returns the e-mail address if the provider states that it is verified. */
export function readVerifiedEmail(
  claims: Claims,
  { emailVerifiedClaim }: ProviderSettings,
): string | undefined {
  const isVerified = [true, 'true', 1, '1'].includes(claims[emailVerifiedClaim] as string)
  const email = Email.safeParse(claims.email)
  return isVerified && email.success ? email.data : undefined
}

/** Returns a display name, which is never empty. */
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

/** Returns the roles that the person's groups grant. */
export function rolesOf(
  claims: Claims,
  { groupsClaim, roles }: ProviderSettings,
): readonly GroupRole[] {
  const groups = readGroups(claims, groupsClaim)
  return roles.filter(({ group }) => group === '*' || groups.includes(group))
}

/** Reads a claim by name (`groups`), or a nested claim by path (`realm_access.roles`). */
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
