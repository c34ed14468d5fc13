/** Chooses the language of the start page for a reader. */
import type { IncomingMessage } from 'node:http'
import { type LanguageCode, parseLanguage } from '@octavo/model'

const PREFERENCES_MAX = 20

/** Returns the site's language that the reader prefers most, according to `Accept-Language`. */
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
    // `*` accepts any language, so the default language of the site is used.
    if (tag === '*') return undefined
    const language = languageOf(tag)
    if (language !== undefined && languages.has(language)) return language
  }
  return undefined
}

/**
 * Returns the language of a tag, such as `de` for `de-AT`. Unknown subtags are removed from the
 * end.
 */
function languageOf(tag: string): LanguageCode | undefined {
  for (let text = tag; text !== ''; text = text.slice(0, Math.max(0, text.lastIndexOf('-')))) {
    const language = parseLanguage(text)
    if (language !== undefined) return language
  }
  return undefined
}

/**
 * Checks whether the reader followed a link on the same site and so has chosen a language. On
 * secure origins, browsers send `sec-fetch-site`, which is correct even behind a proxy with a
 * different host name.
 */
export function comesFromSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'same-site'
  const { referer = '', host } = headers
  return URL.canParse(referer) && new URL(referer).host === host
}
