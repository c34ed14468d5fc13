/** Chooses the language in which a reader sees a site's start page. */
import type { IncomingMessage } from 'node:http'
import { type LanguageCode, parseLanguage } from '@octavo/model'

const PREFERENCES_MAX = 20

/**
 * Returns the reader's first preference among the site's languages, according to `Accept-Language`.
 */
export function preferredLanguage(
  header: string | undefined,
  languages: ReadonlySet<string>,
): string | undefined {
  const preferences = (header ?? '')
    .split(',', PREFERENCES_MAX)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
  for (const { tag } of preferences.toSorted((a, b) => b.weight - a.weight)) {
    // Any language is accepted, so the site's default applies.
    if (tag === '*') return undefined
    const language = languageOf(tag)
    if (language !== undefined && languages.has(language)) return language
  }
  return undefined
}

/** Resolves `de-AT` to `de`: unknown subtags are removed from the end. */
function languageOf(tag: string): LanguageCode | undefined {
  for (let text = tag; text !== ''; text = text.slice(0, Math.max(0, text.lastIndexOf('-')))) {
    const language = parseLanguage(text)
    if (language !== undefined) return language
  }
  return undefined
}

/**
 * Checks whether the reader followed a link on the same site, so that their choice of language is
 * kept. Browsers report this themselves on secure origins, even behind a proxy with another host
 * name.
 */
export function comesFromSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'same-site'
  const { referer = '', host } = headers
  return URL.canParse(referer) && new URL(referer).host === host
}
