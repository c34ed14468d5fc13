import type { NodeId } from '../document/tape.ts'
import type { Subject } from './api-change.ts'
import type { ChangeRule } from './change-rules.ts'
import type { FlatSchema, SchemaFlattener } from './flat-schema.ts'

export type Report = (
  rule: ChangeRule,
  node: NodeId | undefined,
  text: string,
  subject?: Subject,
) => void

/** A comparison of one pair. */
export type Comparison = {
  readonly old: FlatSchema
  readonly new: FlatSchema
  readonly flatteners: { readonly old: SchemaFlattener; readonly new: SchemaFlattener }
  readonly subject: Subject
  /** Reports a change; its place is in the new version, or in the old one if `node` is undefined. */
  readonly report: Report
  readonly reportOld: Report
  readonly compare: (old: NodeId, added: NodeId, path: string) => void
}
