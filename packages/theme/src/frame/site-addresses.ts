import type { FrameInput } from './frame-input.ts'

type Site = Pick<FrameInput, 'config' | 'siteUrl'>

/** Where search engines shall look for the site: `seo.metatags.canonical`, else where it is built for. */
export function canonicalBase({ config, siteUrl }: Site): string | undefined {
  return baseOf(config.seo?.metatags?.canonical) ?? baseOf(siteUrl)
}

/** Where the files of this very build will be, for whoever fetches one of them. */
export function publicBase({ config, siteUrl }: Site): string | undefined {
  return baseOf(siteUrl) ?? baseOf(config.seo?.metatags?.canonical)
}

function baseOf(written: string | undefined): string | undefined {
  if (written === undefined || !/^https?:\/\/[^/\s]/i.test(written)) return undefined
  return URL.canParse(written) ? written.replace(/[?#].*$/, '').replace(/\/+$/, '') : undefined
}

/** A path of the site as a whole address. */
export function wholeAddress(
  base: string,
  path: string,
  { trailingSlash = false }: { readonly trailingSlash?: boolean } = {},
): string {
  return base + (trailingSlash && !path.endsWith('/') ? `${path}/` : path)
}
