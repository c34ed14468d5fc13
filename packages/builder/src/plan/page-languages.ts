import {
  divisionsOf,
  homePage,
  type LanguageStart,
  type NavDivision,
  type Navigation,
  SwitchTargets,
} from '@octavo/model'
import { hashBytes } from '../source/hash-bytes.ts'
import type { PlannedPage } from './plan-pages.ts'

/**
 * Returns the language codes of a site, or an empty list if the site does not name any languages.
 */
export function siteLanguages({ root }: Navigation): readonly string[] {
  return [...new Set(languagesBelow(root))]
}

/**
 * Returns the home page in each language, which is the target of the language menu. The first one
 * is in the language of the site's home page.
 */
export function languageStarts(navigation: Navigation): readonly LanguageStart[] {
  const home = homePage(navigation)
  const own = home && divisionsOf(home).find(({ kind }) => kind === 'language')
  if (home === undefined || own === undefined) return []
  const targets = new SwitchTargets(navigation.byPath).targets(home, own)
  return targets
    .toSorted((a, b) => Number(b.division === own) - Number(a.division === own))
    .flatMap(({ division: { language, hidden, href }, page }) => {
      if (language === undefined || hidden || href !== undefined) return []
      if (page === undefined || page.link !== undefined || page.missing) return []
      return [{ language, url: page.url, access: page.access ?? 'default' }]
    })
}

/** Returns the version names of a site, without duplicates. */
export function siteVersions({ root }: Navigation): readonly string[] {
  return [...new Set(versionsBelow(root))]
}

function* versionsBelow(division: NavDivision): Generator<string> {
  if (division.kind === 'version') yield division.label
  for (const child of division.children) if (child.type === 'division') yield* versionsBelow(child)
}

function* languagesBelow(division: NavDivision): Generator<string> {
  if (division.language !== undefined) yield division.language
  for (const child of division.children) if (child.type === 'division') yield* languagesBelow(child)
}

/** Returns the language of a page, or undefined for English, which is the default. */
export function languageOf({ entry }: PlannedPage): string | undefined {
  if (entry === undefined) return undefined
  const { language } = divisionsOf(entry).findLast(({ kind }) => kind === 'language') ?? {}
  return language === 'en' ? undefined : language
}

/** Returns the language of each file, except those in English, which is the default. */
export function pageLanguages(pages: readonly PlannedPage[]): Readonly<Record<string, string>> {
  const known = new Map<NavDivision, string | undefined>()
  const languages: Record<string, string> = Object.create(null)
  for (const page of pages) {
    const { file, entry } = page
    if (file === undefined || entry === undefined) continue
    const { section } = entry
    if (!known.has(section)) known.set(section, languageOf(page))
    const language = known.get(section)
    if (language !== undefined) languages[file] = language
  }
  return languages
}

/**
 * Adds the language to the hash of a page, because the page's components show interface texts in
 * that language.
 */
export function hashWithLanguage(hash: string, language: string | undefined): string {
  return language === undefined ? hash : hashBytes(hash, language)
}
