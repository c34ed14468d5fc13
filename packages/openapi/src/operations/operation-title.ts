import { operationSlug } from '@octavo/model'
import type { Specification } from '../specification.ts'
import type { Operation } from './list-operations.ts'
import { operationFrontmatter } from './operation-metadata.ts'
import { plainSummary } from './plain-summary.ts'

/**
 * Returns the title of the page: `x-svc.metadata.title`, else the summary, else method and path
 * (rule 12).
 */
export function operationTitle(specification: Specification, operation: Operation): string {
  const { document } = specification
  return (
    line(operationFrontmatter(document, operation.node)?.fields.title) ??
    titleOf(document.textField(operation.node, 'summary')) ??
    line(plainName(operation)) ??
    operation.method
  )
}

/** Returns the description. If it is missing, returns a `summary` that is too long for a title. */
export function operationDescription(
  { document }: Specification,
  { node }: Operation,
): string | undefined {
  return document.textField(node, 'description') ?? longSummary(document.textField(node, 'summary'))
}

/** Returns the whole `summary` if it is neither the title nor the description of the page. */
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

/** The maximum length of a title. Longer summaries are paragraphs, whose first sentence is used. */
const TITLE_LENGTH_MAX = 80
const LINK = /\]\([^)]*\)/

function titleOf(summary: string | undefined): string | undefined {
  const whole = line(summary)
  if (whole === undefined || (whole.length <= TITLE_LENGTH_MAX && !LINK.test(whole))) return whole
  const plain = plainSummary(summary ?? '')
  if (plain.length <= TITLE_LENGTH_MAX) return plain
  return /^.{10,}?(?=[.!?](?:\s|$))/.exec(plain)?.[0] ?? plain
}

/**
 * Returns the last part of the page's URL. Other tools build it in the same way, so existing links
 * work.
 */
export function operationAddress({ document }: Specification, operation: Operation): string {
  const { kind, method, path, node } = operation
  const summary = shorten(operationSlug(document.textField(node, 'summary') ?? ''))
  if (summary !== '') return summary
  const name = shorten(operationSlug(path))
  if (kind === 'webhook') return name || 'webhook'
  return name === '' ? method.toLowerCase() : `${method.toLowerCase()}-${name}`
}

/** The maximum length of a name in bytes. File systems allow 255, and a suffix may be added. */
const NAME_BYTES_MAX = 200

/** Truncates a name, since some authors write whole paragraphs in `summary`. */
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

/** Replaces line breaks with spaces. Returns undefined if the text is missing or empty. */
function line(text: string | undefined): string | undefined {
  const trimmed = text?.replaceAll(/\s+/g, ' ').trim()
  return trimmed === '' ? undefined : trimmed
}
