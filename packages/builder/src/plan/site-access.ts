/** Derives who may read a site's files from the access labels of its pages. Has no side effects. */
import {
  type Access,
  type AccessLabel,
  accessKey,
  accessOfAll,
  type Config,
  labelId,
} from '@octavo/model'
import { hashFile } from '../source/hash-bytes.ts'

export class SiteAccess {
  /** False if all pages of the site have the default label. */
  readonly hasLabels: boolean
  /** Files with this label have the names that they would have on a site without labels. */
  readonly main: AccessLabel
  /** The label of files that every page uses, or that contain no page content. */
  readonly loosest: 'public' | 'default'
  readonly #isProtected: boolean

  constructor(pages: readonly { readonly access: AccessLabel }[], config: Config) {
    const has = (label: AccessLabel) => pages.some(({ access }) => access === label)
    this.hasLabels = pages.some(({ access }) => access !== 'default')
    this.loosest = has('public') ? 'public' : 'default'
    this.main = has('default') ? 'default' : this.loosest
    this.#isProtected = config.auth !== undefined || config.userAuth !== undefined
  }

  /**
   * Returns the suffix that a label adds to file names. It is empty for the main label and does not
   * reveal groups.
   */
  nameOf(label: AccessLabel): string {
    return accessKey(label) === accessKey(this.main) ? '' : labelId(label, hashFile)
  }

  /**
   * Checks whether files for all readers, such as the sitemap, the archives and the full text, may
   * contain a page.
   */
  isForAll(access: Access): boolean {
    return access === 'public' || (access === 'default' && !this.#isProtected)
  }

  /** Returns the items that files for all readers may contain, and who may read such a file. */
  forAll<Item extends { readonly access: AccessLabel }>(
    items: readonly Item[],
  ): { readonly items: readonly Item[]; readonly access: Access } {
    const open = items.filter(({ access }) => this.isForAll(access))
    // A file that contains no pages reveals nothing.
    const access = open.length === 0 ? this.loosest : accessOfAll(open.map((one) => one.access))
    return { items: open, access }
  }
}

/** Groups items by label. Both the labels and the items keep their order. */
export function groupByLabel<Item extends { readonly access: AccessLabel }>(
  items: readonly Item[],
): readonly { readonly label: AccessLabel; readonly items: readonly Item[] }[] {
  const groups = Map.groupBy(items, ({ access }) => accessKey(access))
  return [...groups.values()].map((own) => ({ label: own[0]?.access ?? 'default', items: own }))
}
