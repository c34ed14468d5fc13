/**
 * Resolves a written navigation with the known pages and the operations in scope. The tree is
 * walked once from the root: inherited values (directory, specifications, hidden) are passed down
 * in `Scope`, and results (reading order, repeated pages) are collected along the way.
 */

import { isInternalLink } from '../config/values.ts'
import type { AccessLabel } from '../deployment/access.ts'
import { type Diagnostic, DiagnosticList, type Place } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOf, placeOfKeyIn } from '../json/json-node.ts'
import { type Redirect, RedirectTable } from '../routes/redirects.ts'
import { joinPath } from '../text/join-path.ts'
import { checkDirectory } from './check-directory.ts'
import { KIND_LABELS } from './element-fields.ts'
import { generateOperations, reportUnusedTags } from './generate-operations.ts'
import { GeneratedPaths, unreadOperation } from './generated-paths.ts'
import { hostedSources } from './hosted-sources.ts'
import { assignIndexUrls } from './move-indexes.ts'
import { filePage, linkPage, operationPage, type UnplacedPage } from './nav-page.ts'
import type { NavDivision, NavGroup, Navigation, NavLink, NavNode, NavPage } from './navigation.ts'
import { OperationFinder } from './operation-finder.ts'
import { type PageBacking, PageBackings } from './page-backing.ts'
import { PageFinder } from './page-finder.ts'
import { PageLabels } from './page-label.ts'
import { openingEntry, reportRepeats } from './page-occurrences.ts'
import { defaultChildren, isSwitchable } from './siblings.ts'
import type { SiteFacts } from './site-facts.ts'
import { normalizeSource } from './specification-finder.ts'
import type {
  Directory,
  SpecificationUse,
  WrittenChild,
  WrittenElement,
  WrittenGlobal,
  WrittenNavigation,
  WrittenPage,
} from './written.ts'

export type ResolvedNavigation = {
  readonly navigation: Navigation
  /** The part of a specification that each page shows, by page path. */
  readonly backings: ReadonlyMap<string, PageBacking>
  /** Access labels other than the default, of listed and unlisted pages, by page path. */
  readonly labels: ReadonlyMap<string, AccessLabel>
  /** Specifications whose pages were generated and grouped by tag. */
  readonly generated: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

export type DefaultSpecifications = {
  readonly uses: readonly SpecificationUse[]
  readonly place: Place
}

export type ResolveInput = SiteFacts & {
  readonly written: WrittenNavigation
  /** Specifications from `api.openapi`, in scope unless a navigation element sets its own. */
  readonly defaults?: DefaultSpecifications | undefined
  readonly redirects?: readonly Redirect[]
}

/** Resolves all inherited values and all references. Never throws. */
export function resolveNavigation(input: ResolveInput): ResolvedNavigation {
  return new Resolver(input).resolve(input)
}

/** Values that an element passes on to its children. */
type Scope = {
  readonly directory: Directory
  readonly specifications: readonly SpecificationUse[]
  readonly hidden: boolean
  readonly public: boolean | undefined
  readonly section: Draft<NavDivision>
}

/** A node whose children are still being collected. */
type Draft<Node extends NavDivision | NavGroup> = Omit<Node, 'children' | 'pages' | 'root'> & {
  readonly children: NavNode[]
} & (Node extends NavDivision ? { readonly pages: NavPage[] } : { root: NavPage | undefined })

type Parent = Draft<NavDivision> | Draft<NavGroup>

class Resolver {
  readonly #diagnostics = new DiagnosticList()
  readonly #facts: SiteFacts
  readonly #finder: PageFinder
  readonly #operations: OperationFinder
  readonly #paths: GeneratedPaths
  readonly #backings: PageBackings
  readonly #entries: UnplacedPage[] = []
  /** Each entry as the author wrote it; undefined for a generated entry. */
  readonly #written: (WrittenPage | undefined)[] = []
  readonly #byPath = new Map<string, NavPage>()
  readonly #repeated = new Map<string, NavPage[]>()
  readonly #generated = new Set<string>()
  readonly #labels = new PageLabels(this.#diagnostics.report)
  /** The node in docs.json for each division. */
  readonly #sections = new Map<NavDivision, JsonNode>()
  /**
   * Entries without a file. They are reported at the end, when all entries are known, so that
   * suggestions are better.
   */
  readonly #missing: { readonly path: string; readonly node: JsonNode }[] = []

  constructor(facts: ResolveInput) {
    this.#facts = facts
    this.#finder = new PageFinder(facts.pages)
    const { report } = this.#diagnostics
    const { specifications = [], children } = facts.written
    const named = [...specifications, ...(facts.defaults?.uses ?? [])]
    const hosted = hostedSources({ specifications: named, children })
    this.#operations = new OperationFinder(facts, report, hosted)
    this.#paths = new GeneratedPaths(facts, report)
    this.#backings = new PageBackings(facts, this.#operations, report)
  }

  resolve(input: ResolveInput): ResolvedNavigation {
    const { written, defaults } = input
    const specifications =
      (written.node && this.#located({ ...written, node: written.node })) ??
      (defaults && this.#locate(defaults.uses, () => defaults.place)) ??
      []
    const root: Draft<NavDivision> = {
      type: 'division',
      kind: 'root',
      label: '',
      hidden: false,
      isDefault: true,
      language: undefined,
      tag: undefined,
      description: undefined,
      icon: undefined,
      href: undefined,
      directory: written.directory ?? 'none',
      specifications,
      chrome: {},
      details: {},
      globals: this.#resolveGlobals(written.global),
      parent: undefined,
      children: [],
      pages: [],
    }
    const scope = {
      directory: root.directory,
      specifications,
      hidden: false,
      public: undefined,
      section: root,
    }
    this.#resolveChildren(written.children, root, scope)
    const { report } = this.#diagnostics
    const { directory, node } = written
    if (node !== undefined)
      checkDirectory(root, { directory, node, name: 'The navigation', report })
    this.#checkPages(input.redirects ?? [])
    const { redirects = [], pages } = input
    assignIndexUrls(this.#entries, { pages, listed: this.#byPath, redirects })
    for (const page of this.#facts.pages.values()) {
      const backing = this.#backings.of(page, specifications)
      if (!this.#byPath.has(page.path)) this.#labels.addUnlisted(page, backing)
    }
    this.#labels.label(this.#entries)
    this.#operations.specifications.reportNames()
    this.#operations.reportUnknown()
    const byPath = this.#byPath
    const navigation = { root, entries: this.#entries, byPath, repeated: this.#repeated }
    const backings = this.#backings.found
    const generated = this.#generated
    const labels = this.#labels.all
    return { navigation, backings, labels, generated, diagnostics: this.#diagnostics.sorted() }
  }

  /**
   * Reports missing and repeated pages. For each repeated page, determines which entry its address
   * opens.
   */
  #checkPages(written: readonly Redirect[]): void {
    const { report } = this.#diagnostics
    if (this.#missing.length > 0) {
      const isListed = (path: string) => this.#byPath.has(path)
      const redirects = new RedirectTable(written, () => false)
      for (const { path, node } of this.#missing)
        this.#finder.reportMissing(path, node, { isListed, redirects, report })
    }
    if (this.#repeated.size > 0) {
      const written = new Map(this.#entries.map((page, index) => [page, this.#written[index]]))
      const sections = this.#sections
      reportRepeats(this.#repeated.values(), { written, sections, report })
    }
    for (const [path, pages] of this.#repeated) this.#byPath.set(path, openingEntry(pages))
  }

  #resolveChildren(children: readonly WrittenChild[], parent: Parent, scope: Scope): void {
    const defaults = children.some(isSwitchable) ? defaultChildren(children) : []
    for (const child of children) {
      if (child.type === 'page') parent.children.push(this.#resolvePage(child, parent, scope))
      else if (child.kind === 'group')
        parent.children.push(this.#resolveGroup(child, parent, scope))
      else {
        // A division inside a group has been reported during parsing, but its pages are kept.
        const owner = parent.type === 'division' ? parent : scope.section
        const isDefault = defaults.includes(child)
        parent.children.push(this.#resolveDivision(child, owner, scope, isDefault))
      }
    }
  }

  #resolveDivision(
    element: WrittenElement,
    parent: Draft<NavDivision>,
    outer: Scope,
    isDefault: boolean,
  ): NavDivision {
    const { fields } = element
    const { banner, footer, navbar, align, color, public: isPublic } = fields
    const { searchable, boost, version } = fields
    const division: Draft<NavDivision> = {
      type: 'division',
      kind: element.kind === 'group' ? 'item' : element.kind,
      label: element.name,
      language: element.language,
      tag: fields.tag,
      description: fields.description,
      icon: fields.icon,
      href: absoluteHref(fields.href),
      hidden: fields.hidden ?? outer.hidden,
      isDefault,
      directory: fields.directory ?? outer.directory,
      specifications: this.#located(element) ?? outer.specifications,
      chrome: given({ banner, footer, navbar }),
      details: given({ align, color, public: isPublic, searchable, boost, version }),
      globals: this.#resolveGlobals(element.global),
      parent,
      children: [],
      pages: [],
    }
    this.#sections.set(division, element.node)
    const { directory, specifications, hidden } = division
    const scope = {
      directory,
      specifications,
      hidden,
      public: isPublic ?? outer.public,
      section: division,
    }
    this.#resolveChildren(element.children, division, scope)
    this.#finishElement(element, division, scope)
    return division
  }

  #resolveGroup(element: WrittenElement, parent: Parent, outer: Scope): NavGroup {
    const { fields } = element
    const { directory = outer.directory, hidden = outer.hidden } = fields
    const specifications = this.#located(element) ?? outer.specifications
    const nested = parent.type === 'group'
    const { public: isPublic, searchable, boost } = fields
    const scope = {
      directory,
      specifications,
      hidden,
      public: isPublic ?? outer.public,
      section: outer.section,
    }
    const group: Draft<NavGroup> = {
      type: 'group',
      label: element.name,
      icon: fields.icon,
      tag: fields.tag,
      hidden,
      root: undefined,
      expanded: !nested || fields.expanded === true,
      collapsible: nested,
      directory: element.root === undefined ? 'none' : directory,
      specifications,
      details: given({ public: isPublic, searchable, boost }),
      generated: false,
      parent,
      children: [],
    }
    if (element.root !== undefined) group.root = this.#resolvePage(element.root, group, scope)
    this.#resolveChildren(element.children, group, scope)
    this.#finishElement(element, group, scope)
    return group
  }

  #finishElement(element: WrittenElement, resolved: Parent, scope: Scope): void {
    const { fields, node, specifications } = element
    const isGenerated = specifications !== undefined || fields.includeTags !== undefined
    if (isGenerated) this.#generate(element, resolved, scope)
    const name = `${KIND_LABELS[element.kind]} "${element.name}"`
    const { report } = this.#diagnostics
    checkDirectory(resolved, { directory: fields.directory, node, name, report })
  }

  #resolvePage(written: WrittenPage, parent: Parent, scope: Scope): NavPage {
    const { target } = written
    const { hidden, public: isPublic, section } = scope
    const around = { hidden, public: isPublic, parent, section }
    if (target.kind === 'link') return this.#place(linkPage(target.href, around), written)
    if (target.kind === 'page') {
      const known = this.#finder.find(target.path)
      if (known === undefined) this.#missing.push({ path: target.path, node: written.node })
      const backing = known && this.#backings.of(known, scope.specifications)
      return this.#place(filePage(target.path, known, around, backing), written)
    }
    const place = () => placeOf(written.node)
    const { use, listing, missing } = this.#operations.find(target, scope.specifications, place)
    const operation = listing ?? unreadOperation(target)
    const isRead = use !== undefined && this.#operations.isRead(use)
    const path = this.#paths.pathOf(use, operation, { place, isRead })
    const page = operationPage({ path, operation, specification: use?.source, missing, around })
    return this.#place(page, written)
  }

  /**
   * Generates pages by rule 5: an element with `openapi` and no children lists all operations, and
   * one with `includeTags` those with these tags.
   */
  #generate(element: WrittenElement, parent: Parent, scope: Scope): void {
    const { report } = this.#diagnostics
    reportUnusedTags(element, report)
    if (element.children.length > 0) return
    for (const { source } of scope.specifications) this.#generated.add(normalizeSource(source))
    generateOperations({
      uses: scope.specifications,
      facts: this.#facts,
      paths: this.#paths,
      element,
      parent,
      section: scope.section,
      hidden: scope.hidden,
      public: scope.public,
      report,
      place: (page) => this.#place(page, undefined),
    })
  }

  /** Returns the specifications that an element sets, with the paths of their files. */
  #located(element: {
    readonly specifications: readonly SpecificationUse[] | undefined
    readonly node: JsonNode
  }): readonly SpecificationUse[] | undefined {
    const { specifications, node } = element
    return specifications && this.#locate(specifications, () => placeOfKeyIn(node, 'openapi'))
  }

  #locate(uses: readonly SpecificationUse[], place: () => Place): readonly SpecificationUse[] {
    return uses.map((use) => {
      const source = this.#operations.specifications.find(use.source, place)
      return source === undefined ? use : { ...use, source }
    })
  }

  /** Adds another entry of a page that is listed repeatedly; returns the earlier ones. */
  #repeat(page: NavPage, first: NavPage): readonly NavPage[] {
    const earlier = this.#repeated.get(page.path) ?? [first]
    this.#repeated.set(page.path, [...earlier, page])
    return earlier
  }

  /** Adds a page and sets its position in the reading order of its section. */
  #place(page: UnplacedPage, written: WrittenPage | undefined): NavPage {
    const section = page.section as Draft<NavDivision>
    const first = this.#byPath.get(page.path)
    const duplicate = first && this.#repeat(page, first).find((other) => other.section === section)
    page.position = duplicate === undefined ? section.pages.push(page) - 1 : duplicate.position
    if (first === undefined) this.#byPath.set(page.path, page)
    const file = this.#facts.pages.get(page.path)?.file ?? page.operation?.specification
    this.#labels.add(page.path, page.access ?? 'default', file ?? page.path)
    this.#entries.push(page)
    this.#written.push(written)
    return page
  }

  #resolveGlobals(global: WrittenGlobal | undefined): readonly NavLink[] {
    return (global?.links ?? []).flatMap(({ kind, name, fields }) => {
      const href = absoluteHref(fields.href)
      if (href === undefined || kind === 'group') return []
      return [{ kind, label: name, icon: fields.icon, hidden: fields.hidden ?? false, href }]
    })
  }
}

/** Resolves `start` and `./start` to `/start`; other links are not changed. */
function absoluteHref(href: string | undefined): string | undefined {
  if (href === undefined || !isInternalLink(href) || href.startsWith('/')) return href
  const [path = '', ...rest] = href.split(/(?=[?#])/)
  return `/${joinPath('', path) ?? path}${rest.join('')}`
}

/** Returns only the properties that have a value, because most elements have few of them. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {}
  for (const key in values) {
    const value = values[key]
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>
  }
  return kept
}
