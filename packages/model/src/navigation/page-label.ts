/**
 * Computes the access label of a page, which can be set on the page, on its operation or in the
 * navigation.
 */

import { type AccessLabel, accessKey, groupsLabel, implies } from '../deployment/access.ts'
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { LIMITS } from '../diagnostics/limits.ts'
import type { Frontmatter } from '../frontmatter/frontmatter-fields.ts'
import type { PageBacking } from './page-backing.ts'
import type { KnownPage } from './site-facts.ts'

/** The fields that control access, in the frontmatter or in an operation's `x-svc.metadata`. */
export type AccessFields = Pick<Frontmatter['fields'], 'groups' | 'public'>

/** A label that no reader has. */
const NO_READERS: AccessLabel = []

/**
 * Returns the label from the nearest source: the page, then its operation, then the navigation.
 * `groups` of the page or the operation override any `public`, so a page with groups is never
 * public.
 */
export function pageLabel(
  statements: readonly (AccessFields | undefined)[],
  inherited: boolean | undefined,
): AccessLabel {
  const groups = statements.find((one) => one?.groups !== undefined)?.groups
  if (groups !== undefined) return labelOfGroups(groups)
  const isPublic = statements.find((one) => one?.public !== undefined)?.public ?? inherited
  return isPublic === true ? 'public' : 'default'
}

/** Matches all groups, so every reader with site access may read the page. */
const EVERY_GROUP = '*'

function labelOfGroups(rules: NonNullable<AccessFields['groups']>): AccessLabel {
  const groups = rules.flatMap((rule) => {
    if (typeof rule === 'string') return [rule]
    // Labels cannot exclude a group, so a rule with exclusions grants no access.
    return rule.excludes === undefined || rule.excludes.length === 0 ? (rule.includes ?? []) : []
  })
  return groups.includes(EVERY_GROUP) ? 'default' : groupsLabel(groups)
}

/** The access labels of a site's pages, by page path. The number of different labels is limited. */
export class PageLabels {
  readonly #report: Report
  readonly #byPath = new Map<string, AccessLabel>()
  readonly #known = new Map<string, AccessLabel>()
  #isFull = false

  constructor(report: Report) {
    this.#report = report
  }

  /**
   * Adds the label of an entry. A page that is listed several times is public only if all of its
   * entries are public.
   */
  add(path: string, label: AccessLabel, file: string): void {
    const before = this.#byPath.get(path)
    const used = this.#intern(label, file)
    if (before === undefined || implies(used, before)) this.#byPath.set(path, used)
  }

  addUnlisted(page: KnownPage, backing: PageBacking | undefined): void {
    if (page.isPageOnlyWhenListed) return
    const shown = backing?.kind === 'operation' ? backing.listing.frontmatter : undefined
    this.add(page.path, pageLabel([page.frontmatter.fields, shown?.fields], undefined), page.file)
  }

  /** Sets the same label on all entries of a page. */
  label(entries: readonly { readonly path: string; access: AccessLabel | undefined }[]): void {
    for (const entry of entries) {
      const label = this.#byPath.get(entry.path)
      entry.access = label === 'default' ? undefined : label
    }
  }

  /** All labels by page path, except the default one. */
  get all(): ReadonlyMap<string, AccessLabel> {
    return new Map([...this.#byPath].filter(([, label]) => label !== 'default'))
  }

  #intern(label: AccessLabel, file: string): AccessLabel {
    if (typeof label === 'string' || label.length === 0) return label
    const key = accessKey(label)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= GROUP_LABELS_MAX) {
      this.#reportTooMany(file)
      return NO_READERS
    }
    this.#known.set(key, label)
    return label
  }

  #reportTooMany(file: string): void {
    if (this.#isFull) return
    this.#isFull = true
    this.#report(
      diagnose(
        'limit/access-labels',
        { file, line: 1, column: 1 },
        {
          message: `The pages of this site use more than ${GROUP_LABELS_MAX} different sets of groups. When Octavo hosts the site, no reader can open this page or any other page with a new set.`,
          hint: 'Use the same `groups` on pages with the same readers; the order does not matter.',
        },
      ),
    )
  }
}

/** The limit also counts `public`, `default` and the label that no reader has. */
const GROUP_LABELS_MAX = LIMITS.accessLabelsMax - 3
