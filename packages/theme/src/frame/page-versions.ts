/**
 * Pages that several versions list. Such a page has one address, which opens the default version or
 * the first; what stands around it in the other versions is part of the page (decision 0033).
 */
import type { NavDivision, Navigation, NavPage } from '@octavo/model'
import { escapeHtml } from '../html.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionsAround } from './frame-input.ts'

/** A page as another version lists it. */
export type OtherVersion = { readonly version: NavDivision; readonly entry: NavPage }

export class PageVersions {
  readonly #repeated: Navigation['repeated']

  constructor({ repeated }: Pick<Navigation, 'repeated'>) {
    this.#repeated = repeated
  }

  /** Whether any page of the site is shared by versions; all pages remember their version then. */
  get areNeeded(): boolean {
    return [...this.#repeated.values()].some(
      ([first]) => first !== undefined && this.others(first).length > 0,
    )
  }

  /** The other versions that list the page of an entry, in the same language. */
  others(entry: NavPage | undefined): readonly OtherVersion[] {
    const pages = entry === undefined ? undefined : this.#repeated.get(entry.path)
    if (entry === undefined || pages === undefined) return []
    const names = new Set([versionOf(entry.section)?.label])
    const others: OtherVersion[] = []
    for (const page of pages) {
      const version = versionOf(page.section)
      if (version === undefined || page.hidden || names.has(version.label)) continue
      if (languageOf(page.section) !== languageOf(entry.section)) continue
      names.add(version.label)
      others.push({ version, entry: page })
    }
    return names.has(undefined) ? [] : others
  }
}

/** The version around a section. */
export function versionOf(section: NavDivision): NavDivision | undefined {
  return divisionsAround(section).find(({ kind }) => kind === 'version')
}

function languageOf(section: NavDivision): NavDivision | undefined {
  return divisionsAround(section).find(({ kind }) => kind === 'language')
}

export type VersionPart = { readonly version: NavDivision; readonly html: string }

/** A part of a page, after what it is in the other versions. `version-script.ts` reads them. */
export function withVersions(
  part: string,
  others: readonly VersionPart[],
  marks: AccessMarks,
): string {
  const adds = part === '' ? ' data-adds' : ''
  const templates = others
    .filter(({ html }) => html !== part)
    .map(({ version, html }) => {
      const access = marks.ofNode(version)
      const template = `<template data-version="${escapeHtml(version.label)}"${adds}>${html}</template>`
      return `${marks.open(access)}${template}${marks.close(access)}`
    })
  return `${templates.join('')}${part}`
}
