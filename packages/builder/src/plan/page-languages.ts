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

/** Returns the language codes of a site; empty if it names no languages. */
export function siteLanguages({ root }: Navigation): readonly string[] {
  return [...new Set(languagesBelow(root))]
}

/** Returns the home page in each language, as the language menu finds it, starting with its own. */
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

/** Returns the unique version names of a site. */
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

/** Returns the language of a page; undefined for English, the default. */
export function languageOf({ entry }: PlannedPage): string | undefined {
  if (entry === undefined) return undefined
  const { language } = divisionsOf(entry).findLast(({ kind }) => kind === 'language') ?? {}
  return language === 'en' ? undefined : language
}

/** Returns the language of each file that is not in English, the default. */
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
 * Adds the language to a page's hash, since its components show interface texts in that language.
 */
export function hashWithLanguage(hash: string, language: string | undefined): string {
  return language === undefined ? hash : hashBytes(hash, language)
}
