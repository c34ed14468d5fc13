import { operationSlug } from '@octavo/model'
import type { Specification } from '../specification.ts'
import { extensionField } from './extensions.ts'
import type { Operation } from './list-operations.ts'

/** Title of the page: `x-svc.metadata.title`, the summary, or method and path (rule 12). */
export function operationTitle(specification: Specification, operation: Operation): string {
  const { document } = specification
  const metadata = extensionField(document, operation.node, 'metadata')
  return (
    line(document.textField(metadata, 'title')) ??
    line(document.textField(operation.node, 'summary')) ??
    line(plainName(operation)) ??
    operation.method
  )
}

/** Last part of the address. Other tools make it of the same things, so existing links fit. */
export function operationAddress({ document }: Specification, operation: Operation): string {
  const { kind, method, path, node } = operation
  const summary = operationSlug(document.textField(node, 'summary') ?? '')
  if (summary !== '') return summary
  if (kind === 'webhook') return operationSlug(path) || 'webhook'
  const name = operationSlug(path)
  return name === '' ? method.toLowerCase() : `${method.toLowerCase()}-${name}`
}

function plainName({ kind, method, path }: Operation): string {
  return kind === 'webhook' ? path : `${method} ${path}`
}

/** On one line, nothing when empty. */
function line(text: string | undefined): string | undefined {
  const trimmed = text?.replaceAll(/\s+/g, ' ').trim()
  return trimmed === '' ? undefined : trimmed
}
