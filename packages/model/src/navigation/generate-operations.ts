import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOf } from '../json/json-node.ts'
import type { GeneratedPaths } from './generated-paths.ts'
import { operationPage, type UnplacedPage } from './nav-page.ts'
import type { NavDivision, NavGroup, NavNode, NavPage } from './navigation.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import type { SpecificationUse } from './written.ts'

/** Label of the group for operations without a tag, where a division needs one. */
const UNTAGGED = 'API reference'

type Parent = (NavDivision | NavGroup) & { readonly children: NavNode[] }

export type GenerateInput = {
  readonly uses: readonly SpecificationUse[]
  readonly facts: SiteFacts
  readonly paths: GeneratedPaths
  /** The `openapi` value that requests the pages. */
  readonly node: JsonNode
  readonly parent: Parent
  readonly section: NavDivision
  readonly hidden: boolean
  readonly public: boolean | undefined
  readonly report: Report
  readonly place: (page: UnplacedPage) => NavPage
}

/** Appends a page for every operation of the specifications, grouped by tag in order. */
export function generateOperations(input: GenerateInput): void {
  const groups = new Map<string, Parent>()
  for (const use of input.uses) {
    const operations = input.facts.operations(use.source)
    if (operations?.length === 0) reportNone(use, input)
    for (const operation of operations ?? []) {
      if (operation.hidden) reportHidden(operation, use, input)
      else addOperation(operation, use, groups, input)
    }
  }
}

function addOperation(
  operation: OperationListing,
  use: SpecificationUse,
  groups: Map<string, Parent>,
  input: GenerateInput,
): void {
  const parent = groupFor(operation.group, groups, input)
  const place = () => placeOf(input.node)
  const path = input.paths.pathOf(use, operation, { place, isRead: true })
  const { section, public: isPublic } = input
  const around = { hidden: use.hidden ?? input.hidden, public: isPublic, parent, section }
  const page = operationPage({ path, operation, specification: use.source, missing: false, around })
  parent.children.push(input.place(page))
}

/** Returns the group for a tag. Inside a group, operations without a tag are added directly. */
function groupFor(
  tag: string | undefined,
  groups: Map<string, Parent>,
  input: GenerateInput,
): Parent {
  if (tag === undefined && input.parent.type === 'group') return input.parent
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
    diagnose('openapi/hidden-operation', placeOf(input.node), {
      message: `\`${operation.method} ${operation.path}\` in ${use.source} is not shown, because it is marked \`x-hidden\` or \`x-excluded\`.`,
      hint: 'Nothing to do if this is intended. List the operation in `pages` to show it.',
    }),
  )
}

function reportNone({ source }: SpecificationUse, input: GenerateInput): void {
  input.report(
    diagnose('openapi/no-operations', placeOf(input.node), {
      message: `${source} has no operations or webhooks, so no pages are generated.`,
      hint: 'Add `paths` to it, or remove it from docs.json.',
    }),
  )
}
