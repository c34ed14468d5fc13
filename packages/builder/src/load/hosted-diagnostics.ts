/**
 * Reports the outcomes of fetching hosted specifications, at the places where docs.json or a page
 * names them.
 */
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnose,
  formatCount,
  type JsonNode,
  type KnownPage,
  moreOccurrences,
  type Place,
  placeOf,
} from '@octavo/model'
import { parseSpecification } from '@octavo/openapi'
import { isMarkup } from './fetch-specifications.ts'
import type { SpecificationOutcome } from './specification-fetcher.ts'

export type HostedInput = {
  readonly outcomes: ReadonlyMap<string, SpecificationOutcome>
  /** The specification that refers to a document, if the site does not name it itself. */
  readonly partOf: ReadonlyMap<string, string>
  /** The parsed docs.json. */
  readonly root: JsonNode | undefined
  readonly configFile: string
  readonly pages: readonly KnownPage[]
}

export function hostedDiagnostics(input: HostedInput): readonly Diagnostic[] {
  return [...input.outcomes].flatMap(([url, outcome]) => {
    const text = describeOutcome(url, outcome)
    if (text === undefined) return []
    const { place, more } = placesOf(url, input)
    return [
      diagnose(text.code, place, { ...text, message: `${text.message}${moreOccurrences(more)}` }),
    ]
  })
}

/** Returns the problems of text that is not a specification. */
export function notASpecification(url: string, text: string): readonly Diagnostic[] {
  if (!isMarkup(text)) return parseSpecification(url, text).diagnostics
  const place = { file: url, line: 1, column: 1 }
  const message = 'This is a web page, not a specification.'
  const hint = 'Use the URL of the JSON or YAML document itself, and make sure that it is public.'
  return [diagnose('openapi/unreadable', place, { message, hint })]
}

/** Adds the place in the site that names an unusable hosted document. */
export function addReference(diagnostic: Diagnostic, input: HostedInput): Diagnostic {
  const url = diagnostic.place.file
  if (diagnostic.severity !== 'error' || input.outcomes.get(url)?.kind !== 'malformed') {
    return diagnostic
  }
  const { place } = placesOf(url, input)
  return { ...diagnostic, related: [{ message: 'The document is referenced here.', place }] }
}

/**
 * Describes a problem with fetching a document. Returns undefined if there is no problem, or if the
 * only problem is in the document itself.
 */
export function describeOutcome(
  written: string,
  outcome: SpecificationOutcome,
): { readonly code: DiagnosticCode; readonly message: string; readonly hint: string } | undefined {
  const url = withoutPassword(written)
  switch (outcome.kind) {
    case 'stale': {
      const isUnusable = outcome.because === 'unusable'
      const problem = isUnusable ? 'is not usable at the moment' : 'could not be fetched'
      const message = `${url} ${problem}: ${endSentence(outcome.reason)} The copy fetched on ${formatDate(outcome.fetchedAtMs)} is used.`
      const hint = isUnusable
        ? 'Fix the document at that URL; until then, pages use the copy.'
        : 'Check that the URL is still correct; until it responds, pages use the copy.'
      return { code: 'openapi/stale', message, hint } as const
    }
    case 'unreachable': {
      const message = `${url} could not be fetched: ${endSentence(outcome.reason)}`
      return { code: 'openapi/unreachable', message, hint: outcome.hint } as const
    }
    case 'refused': {
      const message = `${url} is not fetched: ${endSentence(outcome.reason)}`
      return { code: 'openapi/refused', message, hint: outcome.hint } as const
    }
    case 'too-large': {
      const message = `${url} is larger than ${formatCount(outcome.bytesMax)} bytes, so it is not used.`
      const hint = 'Split the specification, or remove parts that no page shows.'
      return { code: 'openapi/too-large', message, hint } as const
    }
    case 'loaded':
    // The parser reports the problem in the document.
    case 'malformed':
    case 'pending':
      return undefined
  }
}

/** Removes credentials, because other people may read the logs that contain diagnostics. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//…@')
}

function endSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

/** Formats a date independently of locale and time zone: `2026-01-31 09:05 UTC`. */
export function formatDate(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

type Places = { readonly place: Place; readonly more: number }

function placesOf(hosted: string, { root, configFile, pages, partOf }: HostedInput): Places {
  const url = partOf.get(hosted) ?? hosted
  const entries = root === undefined ? [] : entriesNaming(url, root).map(placeOf)
  const frontmatter = pages.flatMap(({ frontmatter: { fields, openapiPlace } }) => {
    const written = fields.openapi ?? fields['openapi-schema'] ?? ''
    return openapiPlace !== undefined && names(written, url) ? [openapiPlace] : []
  })
  const [place = { file: configFile, line: 1, column: 1 }, ...others] = [...entries, ...frontmatter]
  return { place, more: others.length }
}

/** Returns the entries of docs.json that name a specification, in the order of the file. */
function entriesNaming(url: string, root: JsonNode): readonly JsonNode[] {
  const found: JsonNode[] = []
  const stack: JsonNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'array') stack.push(...node.items.toReversed())
    else if (node.type === 'object') {
      stack.push(...[...node.members.values()].map(({ value }) => value).toReversed())
    } else if (node.type === 'string' && names(node.value, url) && isSpecificationEntry(node)) {
      found.push(node)
    }
  }
  return found
}

/** Checks whether a string is the URL, alone or followed by an operation or schema. */
function names(written: string, url: string): boolean {
  const text = written.trim()
  return text === url || (text.startsWith(url) && /^\s/.test(text.slice(url.length)))
}

/**
 * Checks whether an entry names a specification: `openapi`, an item of its list or its `source`, a
 * `root`, or an item of `pages`. Links do not count.
 */
function isSpecificationEntry({ key, parent }: JsonNode): boolean {
  if (key === 'openapi' || key === 'root') return true
  if (key === 'source') return parent?.key === 'openapi' || parent?.parent?.key === 'openapi'
  return typeof key === 'number' && (parent?.key === 'openapi' || parent?.key === 'pages')
}
