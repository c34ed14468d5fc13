import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import type { Found, Versions } from './api-change.ts'
import type { OperationComparison } from './compare-content.ts'
import { textOf } from './compare-rules.ts'

/** The schemes of one way to authenticate, with their scopes. */
type Way = ReadonlyMap<string, ReadonlySet<string>>

/** Compares the ways to authenticate. Each old one must still be enough for some new one. */
export function compareSecurity(comparison: OperationComparison): void {
  const { versions, old, new: added, report, subject } = comparison
  if (added.kind === 'webhook') return
  const before = waysOf(versions.old, old.node)
  const after = waysOf(versions.new, added.node)
  const own = subject('the security')
  const node = versions.new.document.field(added.node, 'security') ?? added.node
  const say = (rule: Found['rule'], text: string) =>
    report({ rule, subject: own, text, node, side: 'new' })
  const refused = before.filter((way) => !after.some((other) => isEnough(way, other)))
  const [first] = refused
  if (first !== undefined) {
    say('security-stricter', `no longer accepts ${printWay(first)} alone.`)
    return
  }
  const more = after.filter(
    (way) => !before.some((other) => isEnough(other, way) && isEnough(way, other)),
  )
  if (more.length > 0) say('security-added', `now accepts ${more.map(printWay).join(' or ')}.`)
}

function isEnough(way: Way, needed: Way): boolean {
  return [...needed].every(([name, scopes]) => {
    const own = way.get(name)
    return own !== undefined && [...scopes].every((scope) => own.has(scope))
  })
}

function waysOf({ document }: Specification, operation: NodeId): readonly Way[] {
  const security =
    document.field(operation, 'security') ?? document.field(document.root, 'security')
  const items = document.items(security)
  if (items.length === 0) return [new Map()]
  return items.map(
    (item) =>
      new Map(
        document.entries(item).map(([name, scopes]) => [name, new Set(document.texts(scopes))]),
      ),
  )
}

function printWay(way: Way): string {
  if (way.size === 0) return 'requests without authentication'
  return [...way]
    .map(
      ([name, scopes]) =>
        `\`${name}\`${
          scopes.size === 0
            ? ''
            : ` with ${[...scopes]
                .slice(0, 5)
                .map((scope) => `\`${scope}\``)
                .join(', ')}`
        }`,
    )
    .join(' and ')
}

/** Reports security schemes that work in another way. */
export function compareSchemes(versions: Versions, report: (found: Found) => void): void {
  const schemesOf = ({ document }: Specification) =>
    document.entries(document.field(document.field(document.root, 'components'), 'securitySchemes'))
  const after = new Map(schemesOf(versions.new))
  for (const [name, written] of schemesOf(versions.old)) {
    const old = versions.old.follow(written)
    const added = versions.new.follow(after.get(name))
    if (old === undefined || added === undefined) continue
    const differs = ['type', 'in', 'name', 'scheme', 'openIdConnectUrl'].some((key) => {
      const before = textOf(versions.old.document, versions.old.document.field(old, key))
      return before !== textOf(versions.new.document, versions.new.document.field(added, key))
    })
    if (!differs) continue
    const subject = {
      operation: '',
      direction: 'request',
      part: `the security scheme \`${name}\``,
      path: '',
    } as const
    report({
      rule: 'security-scheme-changed',
      subject,
      text: 'works in another way.',
      node: added,
      side: 'new',
    })
  }
}
