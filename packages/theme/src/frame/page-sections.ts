/**
 * Pages listed in several sections, such as versions, tabs or anchors. Such a page has one URL,
 * which opens the default version or the first section; the page also contains the header, sidebar
 * and links of the other sections (decision 0033).
 */
import type { NavDivision, Navigation, NavPage } from '@octavo/model'
import { escapeHtml } from '../markup/html.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionAround, divisionsAround } from './frame-input.ts'

type Repeated = Pick<Navigation, 'repeated'>

/**
 * Returns true if sections of the site share a page. The browser then remembers the section in
 * which a page is shown.
 */
export function hasSharedPages({ repeated }: Repeated): boolean {
  return [...repeated.values()].some(([first]) => otherEntries(first, { repeated }).length > 0)
}

/** Returns the entries of a page in the other sections that list it, in the same language. */
export function otherEntries(
  entry: NavPage | undefined,
  { repeated }: Repeated,
): readonly NavPage[] {
  const pages = entry === undefined ? undefined : repeated.get(entry.path)
  if (entry === undefined || pages === undefined || entry.link !== undefined) return []
  // The section of a page outside of all divisions has an empty key.
  const keys = new Set(['', sectionKey(entry.section)])
  const language = divisionAround(entry.section, 'language')
  const others = pages.filter((page) => {
    if (page.hidden || divisionAround(page.section, 'language') !== language) return false
    return keys.size < keys.add(sectionKey(page.section)).size
  })
  return sectionKey(entry.section) === '' ? [] : others
}

const SEPARATOR = '›'

/**
 * Returns the key by which the browser remembers a section: the version, then the other divisions,
 * such as `v2›Guides`, or `›Guides` without a version. The key is empty for a language and for the
 * whole site.
 */
export function sectionKey(section: NavDivision): string {
  const others = divisionsAround(section).filter(
    ({ kind }) => kind !== 'version' && kind !== 'language',
  )
  const labels = others.toReversed().map(({ label }) => label)
  return [divisionAround(section, 'version')?.label ?? '', ...labels]
    .map((label) => label.replaceAll(/[›\s]+/g, ' '))
    .join(SEPARATOR)
}

export type SectionPart = { readonly section: NavDivision; readonly html: string }

/**
 * Returns a part of a page, preceded by the templates that replace it in other sections, for
 * `section-script.ts`.
 */
export function withSections(
  part: string,
  others: readonly SectionPart[],
  marks: AccessMarks,
): string {
  const adds = part === '' ? ' data-adds' : ''
  const templates = others
    .filter(({ html }) => html !== part)
    .map(({ section, html }) => {
      const access = marks.ofNode(section)
      const template = `<template data-section="${escapeHtml(sectionKey(section))}"${adds}>${html}</template>`
      return `${marks.open(access)}${template}${marks.close(access)}`
    })
  return `${templates.join('')}${part}`
}

/**
 * Returns the value of the script's `data-section`: the key of the page's section, then the keys of
 * the other sections in the page.
 */
export function sectionKeys(
  { section }: NavPage,
  others: readonly NavPage[],
  marks: AccessMarks,
): string {
  const more = others.map((other) => {
    const access = marks.ofNode(other.section)
    return `${marks.open(access)}\n${escapeHtml(sectionKey(other.section))}${marks.close(access)}`
  })
  return `${escapeHtml(sectionKey(section))}${more.join('')}`
}
