import { diagnose, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { placeOf, placeOfKeyIn } from '../json/json-node.ts'
import { didYouMean } from '../text/nearest.ts'
import type { GeneratedPaths } from './generated-paths.ts'
import { operationPage, type UnplacedPage } from './nav-page.ts'
import type { NavDivision, NavGroup, NavNode, NavPage } from './navigation.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import type { SpecificationUse, WrittenElement } from './written.ts'

/** The group name for operations without a tag, unless they are already in a group. */
const UNTAGGED = 'API reference'

type Parent = (NavDivision | NavGroup) & { readonly children: NavNode[] }

export type GenerateInput = {
  readonly uses: readonly SpecificationUse[]
  readonly facts: SiteFacts
  readonly paths: GeneratedPaths
  /** The element whose `openapi` or `includeTags` lists the pages. */
  readonly element: WrittenElement
  readonly parent: Parent
  readonly section: NavDivision
  readonly hidden: boolean
  readonly public: boolean | undefined
  readonly report: Report
  readonly place: (page: UnplacedPage) => NavPage
}

/**
 * Adds a page for every operation of the specifications, grouped by tag in the order of the tags.
 */
export function generateOperations(input: GenerateInput): void {
  const groups = new Map<string, Parent>()
  for (const use of input.uses) {
    const operations = input.facts.operations(use.source)
    if (operations?.length === 0) reportNone(use, input)
    for (const operation of operations ?? []) {
      if (!isIncluded(operation, input)) continue
      if (operation.hidden) reportHidden(operation, use, input)
      else addOperation(operation, use, groups, input)
    }
  }
  checkTagNames(input)
}

/** Reports `includeTags` of an element that lists its own pages. */
export function reportUnusedTags(element: WrittenElement, report: Report): void {
  const { fields, node, children } = element
  if (fields.includeTags === undefined || children.length === 0) return
  report(
    diagnose('value/no-effect', placeOfKeyIn(node, 'includeTags'), {
      message: '`includeTags` has no effect: the element lists its own pages.',
      hint: 'Remove `includeTags`, or move it to a group without `pages`.',
    }),
  )
}

function isIncluded(operation: OperationListing, { element }: GenerateInput): boolean {
  const { includeTags } = element.fields
  return (
    includeTags === undefined || (operation.tags ?? []).some((tag) => includeTags.includes(tag))
  )
}

/** Reports tags that no operation has, unless a specification was not read. */
function checkTagNames(input: GenerateInput): void {
  const { fields, node } = input.element
  const lists = input.uses.map(({ source }) => input.facts.operations(source))
  if (lists.some((operations) => operations === undefined)) return
  const known = new Set(lists.flatMap((list) => list?.flatMap(({ tags }) => tags ?? []) ?? []))
  for (const name of fields.includeTags?.filter((written) => !known.has(written)) ?? []) {
    input.report(
      diagnose('openapi/no-operations', placeOfKeyIn(node, 'includeTags'), {
        message: `No operation has the tag \`${name}\` of \`includeTags\`.`,
        hint: didYouMean(name, [...known], 'Write a tag as it is in the specification.'),
      }),
    )
  }
}

function addOperation(
  operation: OperationListing,
  use: SpecificationUse,
  groups: Map<string, Parent>,
  input: GenerateInput,
): void {
  const parent = groupFor(operation.group, groups, input)
  const place = () => placeOfOpenapi(input)
  const path = input.paths.pathOf(use, operation, { place, isRead: true })
  const { section, public: isPublic } = input
  const around = { hidden: use.hidden ?? input.hidden, public: isPublic, parent, section }
  const page = operationPage({ path, operation, specification: use.source, missing: false, around })
  parent.children.push(input.place(page))
}

/**
 * Returns the group for a tag. Inside a group, operations without a tag are added to the group
 * itself, and all operations if only one tag is included.
 */
function groupFor(
  tag: string | undefined,
  groups: Map<string, Parent>,
  input: GenerateInput,
): Parent {
  const isOneTag = tag === undefined || input.element.fields.includeTags?.length === 1
  if (isOneTag && input.parent.type === 'group') return input.parent
  const label = tag ?? UNTAGGED
  const known = groups.get(label)
  if (known !== undefined) return known
  const nested = input.parent.type === 'group'
  const group: Parent = {
    type: 'group',
    label,
    icon: undefined,
    tag: undefined,
    root: undefined,
    hidden: input.hidden,
    expanded: !nested,
    collapsible: nested,
    directory: 'none',
    specifications: input.uses,
    details: {},
    generated: true,
    parent: input.parent,
    children: [],
  }
  groups.set(label, group)
  input.parent.children.push(group)
  return group
}

function reportHidden(
  operation: OperationListing,
  use: SpecificationUse,
  input: GenerateInput,
): void {
  input.report(
    diagnose('openapi/hidden-operation', placeOfOpenapi(input), {
      message: `\`${operation.method} ${operation.path}\` in ${use.source} is not shown, because it is marked \`x-hidden\` or \`x-excluded\`.`,
      hint: 'Nothing to do if this is intended. List the operation in `pages` to show it.',
    }),
  )
}

function reportNone({ source }: SpecificationUse, input: GenerateInput): void {
  input.report(
    diagnose('openapi/no-operations', placeOfOpenapi(input), {
      message: `${source} has no operations or webhooks, so no pages are generated.`,
      hint: 'Add `paths` to it, or remove it from docs.json.',
    }),
  )
}

function placeOfOpenapi({ element: { node } }: GenerateInput): Place {
  const value = node.type === 'object' ? node.members.get('openapi')?.value : undefined
  return placeOf(value ?? node)
}
