import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { Direction } from '../values/value-context.ts'
import type { Found, Subject, Versions } from './api-change.ts'
import { textOf } from './compare-rules.ts'
import type { SchemaComparer } from './compare-schemas.ts'

/** What comparing one operation needs. */
export type OperationComparison = {
  readonly versions: Versions
  readonly old: Operation
  readonly new: Operation
  readonly schemas: SchemaComparer
  readonly report: (found: Found) => void
  /** Creates a subject for a part of the operation. */
  readonly subject: (part: string, direction?: Direction) => Subject
}

export type Side = 'old' | 'new'

export type Nodes = { readonly old: NodeId; readonly new: NodeId }

/** Compares the media types of a body, a response, a parameter or a header. */
export function compareContent(
  { versions, schemas, report }: OperationComparison,
  { old, new: added }: Nodes,
  subject: Subject,
): void {
  const before = mediaOf(versions.old, old)
  const after = mediaOf(versions.new, added)
  for (const [type, node] of before) {
    const other = after.get(type)
    if (other === undefined) {
      report({
        rule: 'media-type-removed',
        subject,
        text: `no longer supports \`${type}\`.`,
        node: node - 1,
        side: 'old',
      })
      continue
    }
    const oldSchema = versions.old.document.field(node, 'schema')
    const newSchema = versions.new.document.field(other, 'schema')
    if (oldSchema !== undefined && newSchema !== undefined)
      schemas.add(oldSchema, newSchema, subject)
    else if (newSchema !== undefined) {
      report({
        rule: 'limit-narrowed',
        subject,
        text: 'has a schema now.',
        node: newSchema,
        side: 'new',
      })
    } else if (oldSchema !== undefined) {
      report({
        rule: 'limit-widened',
        subject,
        text: 'has no schema any more.',
        node: oldSchema,
        side: 'old',
      })
    }
    compareExamples(versions, { old: node, new: other }, subject, report)
  }
  for (const [type, node] of after) {
    if (before.has(type)) continue
    report({
      rule: 'media-type-added',
      subject,
      text: `now supports \`${type}\`.`,
      node: node - 1,
      side: 'new',
    })
  }
}

function mediaOf({ document }: Specification, body: NodeId): ReadonlyMap<string, NodeId> {
  const entries = document.entries(document.field(body, 'content'))
  return new Map(entries.map(([type, node]) => [type.toLowerCase().replace(/\s/g, ''), node]))
}

/** Reports examples that differ. */
export function compareExamples(
  versions: Versions,
  { old, new: added }: Nodes,
  subject: Subject,
  report: OperationComparison['report'],
): void {
  for (const key of ['example', 'examples']) {
    const before = versions.old.document.field(old, key)
    const after = versions.new.document.field(added, key)
    if (textOf(versions.old.document, before) === textOf(versions.new.document, after)) continue
    const place =
      after === undefined
        ? { node: old, side: 'old' as const }
        : { node: after, side: 'new' as const }
    report({ rule: 'example-changed', subject, text: 'has another example.', ...place })
    return
  }
}
