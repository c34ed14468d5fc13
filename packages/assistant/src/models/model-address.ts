import type { ModelSettings } from '@octavo/contract'

const ANTHROPIC_VERSION = '2023-06-01'

/** Matches the path of an endpoint at the end of a base URL, which users often paste. */
const OWN_PATH = /\/(?:chat\/completions|messages|embeddings|models)?\/*$/

/**
 * Returns the URL of a request. Users enter base URLs with and without `/v1`, so it is added if the
 * path contains no version. Azure has the version in the query instead.
 */
export function modelUrl(
  { url: typed }: Pick<ModelSettings, 'url'>,
  path: string,
  addsVersion = true,
): string {
  const url = new URL(typed)
  const base = url.pathname.replace(OWN_PATH, '')
  url.pathname = `${base}${addsVersion && lacksVersion(typed) ? '/v1' : ''}/${path}`
  return url.href
}

export function lacksVersion(typed: string): boolean {
  const url = new URL(typed)
  return !isAzure(url) && !/\/v\d/.test(url.pathname)
}

export function modelHeaders({
  format,
  url,
  key,
}: ModelSettings): Readonly<Record<string, string>> {
  const sent = { 'content-type': 'application/json' }
  if (format === 'anthropic')
    return {
      ...sent,
      'anthropic-version': ANTHROPIC_VERSION,
      ...(key !== undefined && { 'x-api-key': key }),
    }
  if (key === undefined) return sent
  return isAzure(new URL(url))
    ? { ...sent, 'api-key': key }
    : { ...sent, authorization: `Bearer ${key}` }
}

const isAzure = (url: URL) => url.searchParams.has('api-version')
