import type { FrameInput } from './frame-input.ts'

type Site = Pick<FrameInput, 'config' | 'siteUrl'>

/**
 * Returns the site's canonical URL: `seo.metatags.canonical`, or else the URL that the site is
 * built for.
 */
export function canonicalBase({ config, siteUrl }: Site): string | undefined {
  return baseOf(config.seo?.metatags?.canonical) ?? baseOf(siteUrl)
}

/** Returns the URL at which the files of this build will be served. */
export function publicBase({ config, siteUrl }: Site): string | undefined {
  return baseOf(siteUrl) ?? baseOf(config.seo?.metatags?.canonical)
}

function baseOf(written: string | undefined): string | undefined {
  if (written === undefined || !/^https?:\/\/[^/\s]/i.test(written)) return undefined
  return URL.canParse(written) ? written.replace(/[?#].*$/, '').replace(/\/+$/, '') : undefined
}

export function absoluteUrl(
  base: string,
  path: string,
  { trailingSlash = false }: { readonly trailingSlash?: boolean } = {},
): string {
  return base + (trailingSlash && !path.endsWith('/') ? `${path}/` : path)
}
