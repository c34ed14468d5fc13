/** A slug is a name below the domain of all sites, so some names would be taken for the service itself. */
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

/** The form of international domain names (RFC 5891), which can look like any other name. */
const ENCODED = /^..--/

/** Whether only the operator can give this slug to a project. `log-in` is read as `login`. */
export function isReservedSlug(slug: string): boolean {
  return ENCODED.test(slug) || RESERVED.has(slug.replaceAll('-', ''))
}

export const reservedSlugText = (slug: string) =>
  `The slug \`${slug}\` is reserved: readers could take the site for a part of this service. Choose another, or ask the operator of the service for it.`
