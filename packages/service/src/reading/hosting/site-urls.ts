import type { NameSettings } from '../../publishing/domains/settings.ts'
import { previewNameOf } from '../../publishing/domains/site-address.ts'

export type SiteUrls = ReturnType<typeof createSiteUrls>

/** Returns functions that create the URLs of sites and previews. */
export function createSiteUrls({ url, sitesDomain, previewsDomain }: NameSettings) {
  /** Returns undefined if the service has no domain for these names. */
  const below = (name: string, domain: string | undefined): string | undefined => {
    if (url === undefined || domain === undefined) return undefined
    const { protocol, port } = new URL(url)
    return `${protocol}//${name}.${domain}${port === '' ? '' : `:${port}`}`
  }
  const siteUrlOf = (slug: string) => below(slug, sitesDomain)
  const previewUrlOf = (name: string) => below(name, previewsDomain)
  return {
    siteUrlOf,
    previewUrlOf,
    /**
     * Returns the origin of a site or preview. Throws if there is no domain for it, which is
     * impossible for one that is being served.
     */
    originOf: (slug: string): string => {
      const name = previewNameOf(slug)
      const found = name === undefined ? siteUrlOf(slug) : previewUrlOf(name)
      if (found === undefined) throw new Error(`The URL of the site ${slug} is unknown.`)
      return found
    },
  }
}
