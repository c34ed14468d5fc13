/** In which language a reader sees the first page of a site. */
import type { IncomingMessage } from 'node:http'
import { type LanguageCode, parseLanguage } from '@octavo/model'

const PREFERENCES_MAX = 20

/** The reader's first preference among the languages of the site, by the header `Accept-Language`. */
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
    // Anything will do, so the site's own choice does.
    if (tag === '*') return undefined
    const language = languageOf(tag)
    if (language !== undefined && languages.has(language)) return language
  }
  return undefined
}

/** `de-AT` is `de`: what is not known is cut off from the end. */
function languageOf(tag: string): LanguageCode | undefined {
  for (let text = tag; text !== ''; text = text.slice(0, Math.max(0, text.lastIndexOf('-')))) {
    const language = parseLanguage(text)
    if (language !== undefined) return language
  }
  return undefined
}

/**
 * Whether the reader followed a link of the same site: then they chose where to go, and stay there.
 * Browsers say so themselves on secure origins, also behind a proxy that has another name.
 */
export function comesFromSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'same-site'
  const { referer = '', host } = headers
  return URL.canParse(referer) && new URL(referer).host === host
}
