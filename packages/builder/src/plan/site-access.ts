/** What the access labels of pages mean for the files of a site. Pure. */
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
  /** False when all pages have the default label. */
  readonly hasLabels: boolean
  /** Files of this label have the names that those of a site without labels have. */
  readonly main: AccessLabel
  /** Of what every page uses, and of what says nothing of any page. */
  readonly loosest: 'public' | 'default'
  readonly #isProtected: boolean

  constructor(pages: readonly { readonly access: AccessLabel }[], config: Config) {
    const has = (label: AccessLabel) => pages.some(({ access }) => access === label)
    this.hasLabels = pages.some(({ access }) => access !== 'default')
    this.loosest = has('public') ? 'public' : 'default'
    this.main = has('default') ? 'default' : this.loosest
    this.#isProtected = config.auth !== undefined || config.userAuth !== undefined
  }

  /** What the name of a file of a label has beside that of the main one; it names no group. */
  nameOf(label: AccessLabel): string {
    return accessKey(label) === accessKey(this.main) ? '' : labelId(label, hashFile)
  }

  /** Whether files for everybody may hold a page: the sitemap, the archives, the full text. */
  isForAll(access: Access): boolean {
    return access === 'public' || (access === 'default' && !this.#isProtected)
  }

  /** Those that files for everybody hold, and who may read such a file. */
  forAll<Item extends { readonly access: AccessLabel }>(
    items: readonly Item[],
  ): { readonly items: readonly Item[]; readonly access: Access } {
    const open = items.filter(({ access }) => this.isForAll(access))
    // Without a page it tells nobody anything.
    const access = open.length === 0 ? this.loosest : accessOfAll(open.map((one) => one.access))
    return { items: open, access }
  }
}

/** Items by their label: those of each label in the order given, and labels as they come up. */
export function groupByLabel<Item extends { readonly access: AccessLabel }>(
  items: readonly Item[],
): readonly { readonly label: AccessLabel; readonly items: readonly Item[] }[] {
  const groups = Map.groupBy(items, ({ access }) => accessKey(access))
  return [...groups.values()].map((own) => ({ label: own[0]?.access ?? 'default', items: own }))
}
