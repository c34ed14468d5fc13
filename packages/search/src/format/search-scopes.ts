/**
 * Determines which index a reader searches and which pages it contains. There is one index per
 * language and version. A page without a language or version is in all of them. An index contains
 * only one version of each product: for other products, this is the version with the same name if
 * there is one, else the default version.
 */
import type { NavDivision, Navigation, NavPage } from '@octavo/model'

export type SearchScope = {
  /** The name of the scope, which is also used as a file name. */
  readonly name: string
  readonly language: string | undefined
  readonly includes: (page: NavPage) => boolean
}

/** The folder of all index roots. */
export const SEARCH_FOLDER = '_octavo/search'

export function searchRootUrl({ name }: SearchScope): string {
  return `/${SEARCH_FOLDER}/${name}.bin`
}

type Place = { readonly language: string | undefined; readonly version: NavDivision | undefined }

export class SearchScopes {
  readonly all: readonly SearchScope[]
  /** Scopes by language, then by version. */
  readonly #scopes = new Map<string | undefined, Map<NavDivision | undefined, SearchScope>>()
  readonly #places = new Map<NavDivision, Place>()
  readonly #mainLanguage: string | undefined

  constructor(navigation: Navigation) {
    const sections = new Set(navigation.entries.map(({ section }) => section))
    const languages = [...sections].flatMap((section) => find(section, 'language') ?? [])
    const main = languages.find(({ isDefault }) => isDefault) ?? languages[0]
    this.#mainLanguage = main?.language
    const names = new Set<string>()
    for (const section of sections) {
      const { language, version } = this.#readerOf(section)
      const ofLanguage = this.#scopes.get(language) ?? new Map()
      this.#scopes.set(language, ofLanguage)
      if (ofLanguage.has(version)) continue
      const name = nameOf({ language, version }, names)
      const includes = (page: NavPage) => {
        const place = this.#placeOf(page.section)
        const isLanguage = place.language === undefined || place.language === language
        return isLanguage && isVersionFor(place.version, version)
      }
      ofLanguage.set(version, { name, language, includes })
    }
    this.all = [...this.#scopes.values()].flatMap((ofLanguage) => [...ofLanguage.values()])
  }

  /** Returns the scope that readers of a section search, or undefined for a site without pages. */
  of(section: NavDivision): SearchScope | undefined {
    const { language, version } = this.#readerOf(section)
    return this.#scopes.get(language)?.get(version) ?? this.all[0]
  }

  /** Returns the language and version to search. Without a language, this is the main language. */
  #readerOf(section: NavDivision): Place {
    const { language, version } = this.#placeOf(section)
    return { language: language ?? this.#mainLanguage, version }
  }

  #placeOf(section: NavDivision): Place {
    const known = this.#places.get(section)
    if (known !== undefined) return known
    const version = find(section, 'version')
    const place = { language: find(section, 'language')?.language, version }
    this.#places.set(section, place)
    return place
  }
}

function find(section: NavDivision, kind: NavDivision['kind']): NavDivision | undefined {
  for (let at: NavDivision | undefined = section; at !== undefined; at = at.parent) {
    if (at.kind === kind) return at
  }
  return undefined
}

function isVersionFor(version: NavDivision | undefined, reader: NavDivision | undefined): boolean {
  if (version === undefined || version === reader) return true
  if (reader === undefined) return version.isDefault
  if (version.parent === reader.parent) return false
  const isNamed = version.parent?.children.some(
    (child) => child.type === 'division' && child.label === reader.label,
  )
  return isNamed ? version.label === reader.label : version.isDefault
}

const NAME_LENGTH_MAX = 40

function nameOf({ language, version }: Place, taken: Set<string>): string {
  const parts = [language ?? 'all', ...(version === undefined ? [] : [version.label])]
  const plain = parts
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z\d.]+/g, '-')
  const short = plain.slice(0, NAME_LENGTH_MAX).replaceAll(/^[-.]+|[-.]+$/g, '') || 'all'
  let name = short
  for (let count = 2; taken.has(name); count += 1) name = `${short}-${count}`
  taken.add(name)
  return name
}
