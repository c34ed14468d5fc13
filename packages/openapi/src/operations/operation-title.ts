import { operationSlug } from '@octavo/model'
import type { Specification } from '../specification.ts'
import type { Operation } from './list-operations.ts'
import { operationFrontmatter } from './operation-metadata.ts'
import { plainSummary } from './plain-summary.ts'

/** Returns the page title: `x-svc.metadata.title`, the summary, or method and path (rule 12). */
export function operationTitle(specification: Specification, operation: Operation): string {
  const { document } = specification
  return (
    line(operationFrontmatter(document, operation.node)?.fields.title) ??
    titleOf(document.textField(operation.node, 'summary')) ??
    line(plainName(operation)) ??
    operation.method
  )
}

/** Returns the description, or else a `summary` that is too long for a title. */
export function operationDescription(
  { document }: Specification,
  { node }: Operation,
): string | undefined {
  return document.textField(node, 'description') ?? longSummary(document.textField(node, 'summary'))
}

/** Returns the whole `summary` if the page shows it neither as title nor as description. */
export function operationSummary(
  { document }: Specification,
  { node }: Operation,
): string | undefined {
  const isDescribed = document.textField(node, 'description') !== undefined
  return isDescribed ? longSummary(document.textField(node, 'summary')) : undefined
}

function longSummary(summary: string | undefined): string | undefined {
  return titleOf(summary) === line(summary) ? undefined : summary
}

/** Longer summaries are paragraphs, whose first sentence is the title. */
const TITLE_LENGTH_MAX = 80
const LINK = /\]\([^)]*\)/

function titleOf(summary: string | undefined): string | undefined {
  const whole = line(summary)
  if (whole === undefined || (whole.length <= TITLE_LENGTH_MAX && !LINK.test(whole))) return whole
  const plain = plainSummary(summary ?? '')
  if (plain.length <= TITLE_LENGTH_MAX) return plain
  return /^.{10,}?(?=[.!?](?:\s|$))/.exec(plain)?.[0] ?? plain
}

/** Returns the last part of the address, built like in other tools so that existing links work. */
export function operationAddress({ document }: Specification, operation: Operation): string {
  const { kind, method, path, node } = operation
  const summary = shorten(operationSlug(document.textField(node, 'summary') ?? ''))
  if (summary !== '') return summary
  const name = shorten(operationSlug(path))
  if (kind === 'webhook') return name || 'webhook'
  return name === '' ? method.toLowerCase() : `${method.toLowerCase()}-${name}`
}

/** Maximum bytes of a name; file systems allow 255, and a suffix may be added. */
const NAME_BYTES_MAX = 200

/** Some authors write whole paragraphs in `summary`. */
function shorten(name: string): string {
  const encoder = new TextEncoder()
  if (encoder.encode(name).length <= NAME_BYTES_MAX) return name
  let short = name.slice(0, NAME_BYTES_MAX)
  while (encoder.encode(short).length > NAME_BYTES_MAX) short = short.slice(0, -1)
  return short.toWellFormed().replace(/-[^-]*$/, '')
}

function plainName({ kind, method, path }: Operation): string {
  return kind === 'webhook' ? path : `${method} ${path}`
}

/** Joins a text to one line; undefined if empty. */
function line(text: string | undefined): string | undefined {
  const trimmed = text?.replaceAll(/\s+/g, ' ').trim()
  return trimmed === '' ? undefined : trimmed
}
