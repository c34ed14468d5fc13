import { listedMethod, listOperations, type Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { Direction } from '../values/value-context.ts'
import {
  type ApiChange,
  createChange,
  type Found,
  type Subject,
  type Versions,
} from './api-change.ts'
import { CHANGE_LEVELS } from './change-rules.ts'
import { compareOperation } from './compare-operations.ts'
import { textOf } from './compare-rules.ts'
import { SchemaComparer } from './compare-schemas.ts'
import { compareSchemes } from './compare-security.ts'

/** Returns all changes between two versions of an API: breaking ones first. */
export function compareSpecifications(
  old: Specification,
  added: Specification,
): readonly ApiChange[] {
  const versions: Versions = { old, new: added }
  const merged = new Map<string, { readonly found: Found; readonly operations: Set<string> }>()
  // A change of a shared part is one change of several operations.
  const collect = (found: Found, operations: readonly string[]) => {
    const key = `${found.rule} ${found.side} ${found.node} ${found.subject.part} ${found.subject.path} ${found.text}`
    const known = merged.get(key) ?? { found, operations: new Set<string>() }
    merged.set(key, known)
    for (const operation of operations) known.operations.add(operation)
  }
  const report = (found: Found) => {
    const { operation } = found.subject
    collect(found, operation === '' ? [] : [operation])
  }
  const schemas = new SchemaComparer(old, added)
  compareOperations(versions, schemas, report)
  compareSchemes(versions, report)
  compareInfo(versions, report)
  for (const { found, operations } of schemas.changes()) collect(found, operations)
  const rank = ({ level }: ApiChange) => CHANGE_LEVELS.indexOf(level)
  return [...merged.values()]
    .map(({ found, operations }) => createChange(found, versions, [...operations]))
    .toSorted((a, b) => rank(a) - rank(b))
}

function compareOperations(
  versions: Versions,
  schemas: SchemaComparer,
  report: (found: Found) => void,
): void {
  const before = operationsOf(versions.old)
  const after = operationsOf(versions.new)
  for (const [key, operation] of before) {
    const other = after.get(key)
    if (other !== undefined) {
      const name = nameOf(other)
      const subject = (part: string, direction: Direction = 'request'): Subject => ({
        operation: name,
        direction,
        part,
        path: '',
      })
      compareOperation({ versions, old: operation, new: other, schemas, report, subject })
      continue
    }
    const wasDeprecated = versions.old.document.isTrue(operation.node, 'deprecated')
    report(
      wholeOperation(operation, {
        rule: wasDeprecated ? 'deprecated-removed' : 'operation-removed',
        text: 'was removed.',
        side: 'old',
      }),
    )
  }
  for (const [key, operation] of after) {
    if (!before.has(key))
      report(wholeOperation(operation, { rule: 'operation-added', text: 'is new.', side: 'new' }))
  }
}

function nameOf(operation: Operation): string {
  return `${listedMethod(operation)} ${operation.path}`
}

/** Returns the operations by method and shape of the path: names of parameters do not matter. */
function operationsOf(specification: Specification): ReadonlyMap<string, Operation> {
  return new Map(
    listOperations(specification).map((operation) => {
      const path = operation.path.replaceAll(/\{[^{}]*\}/g, '{}')
      return [`${listedMethod(operation)} ${path}`, operation]
    }),
  )
}

function wholeOperation(
  operation: Operation,
  change: Pick<Found, 'rule' | 'text' | 'side'>,
): Found {
  const part = operation.kind === 'webhook' ? 'the webhook' : 'the operation'
  return {
    ...change,
    subject: { operation: nameOf(operation), direction: 'request', part, path: '' },
    node: operation.node - 1,
  }
}

function compareInfo(versions: Versions, report: (found: Found) => void): void {
  for (const key of ['info', 'servers', 'tags', 'externalDocs']) {
    const before = versions.old.document
    const after = versions.new.document
    const node = after.field(after.root, key)
    if (textOf(before, before.field(before.root, key)) === textOf(after, node)) continue
    const subject = {
      operation: '',
      direction: 'request',
      part: `\`${key}\` of the document`,
      path: '',
    } as const
    report({ rule: 'described', subject, text: 'differs.', node: node ?? after.root, side: 'new' })
  }
}
