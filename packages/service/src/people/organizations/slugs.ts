import { createPublicId } from '../../platform/public-id.ts'

/**
 * Slugs that only the operator can assign. A slug becomes a subdomain of the sites domain, so these
 * could be mistaken for the service itself.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `octavo official operator root staff system
   abuse admin administrator hostmaster noreply postmaster webmaster
   account accounts auth login logout oauth password recovery register session
   signin signout signup sso verify invitation invitations
   billing checkout invoice pay payment payments
   help helpdesk secure security status support
   api app assets cdn console dashboard hooks preview previews static
   autoconfig autodiscover email ftp imap mail mtasts mx pop smtp webmail
   dns isatap localhost ns ns1 ns2 wpad www`.split(/\s+/),
)

/** Matches internationalized domain names (RFC 5891), which can look like any other name. */
const ENCODED = /^..--/

/** Returns true if only the operator can assign this slug. `log-in` is treated as `login`. */
export function isReservedSlug(slug: string): boolean {
  return ENCODED.test(slug) || RESERVED.has(slug.replaceAll('-', ''))
}

export const reservedSlugText = (slug: string) =>
  `The slug \`${slug}\` is reserved: readers could mistake the site for a part of this service. Choose another, or ask the operator of the service for it.`

/** Returns true if the database rejected a slug because another project has it or had it. */
export function isSlugTaken(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false
  return error.code === '23505' && String(error.constraint).includes('slug')
}

const SLUG_LENGTH_MAX = 50
const RANDOM_LENGTH = 6

/**
 * Returns a slug for a name, made of the characters that a host name allows. Adds a random suffix
 * if it must be unique.
 */
export function slugOf(name: string, { unique = false } = {}): string {
  const end = createPublicId('prj').slice(-RANDOM_LENGTH)
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, unique ? SLUG_LENGTH_MAX - RANDOM_LENGTH - 1 : SLUG_LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '')
  if (slug === '') return `site-${end}`
  return unique ? `${slug}-${end}` : slug
}
