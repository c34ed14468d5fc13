/**
 * Fetches hosted specifications. The last good copy saves the transfer if nothing has changed, and
 * is used if the host is down or sends an unusable document.
 */

import { DiagnosticList } from '@octavo/model'
import { isOverlay, parseDocument, parseSpecification } from '@octavo/openapi'
import type {
  OutboundFailure,
  OutboundLoaded,
  OutboundOptions,
  OutboundOutcome,
} from '@octavo/outbound'
import { type FontFetchOptions, fetchFont, readFontCopy } from './fonts/fetch-font.ts'
import { HostedCopies, type HostedCopy } from './hosted-copies.ts'
import type { SpecificationFetcher, SpecificationOutcome } from './specification-fetcher.ts'

export type FetchOptions = {
  /** The site's cache folder, in which the copies are stored. */
  readonly cacheFolder: string
  /** Hosts that may be on a private network, written as in URLs. */
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
  /** Aborts all requests of the fetcher. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests instead of this process, which may have no network access. */
  readonly send?: SendOutbound | undefined
} & Pick<FontFetchOptions, 'registry' | 'recordFolder'>

export type SendOutbound = (request: OutboundOptions) => Promise<OutboundOutcome>

const AT_ONCE_MAX = 4
const ACCEPT = 'application/json, application/yaml, text/yaml, */*;q=0.5'
const USE_A_FILE = 'add the specification to the repository and use its path'

/** Fetches documents from the network, each URL once and a few at a time. */
export function networkFetcher(options: FetchOptions): Required<SpecificationFetcher> {
  const copies = new HostedCopies(options.cacheFolder, 'specifications')
  const outcomes = new Map<string, Promise<SpecificationOutcome>>()
  const running = new Set<Promise<unknown>>()
  const fetchWhenFree = async (url: string, isPart: boolean) => {
    while (running.size >= AT_ONCE_MAX) await Promise.race(running)
    const work = fetchSpecification({ url, isPart }, copies, options)
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
    return work
  }
  return {
    fetch: (url, isPart = false) => {
      const outcome = outcomes.get(url) ?? fetchWhenFree(url, isPart)
      outcomes.set(url, outcome)
      return outcome
    },
    fetchFont: (source) => fetchFont(source, options),
  }
}

/** Returns a fetcher that uses only the copies of earlier runs. */
export function copyFetcher(cacheFolder: string): Required<SpecificationFetcher> {
  const copies = new HostedCopies(cacheFolder, 'specifications')
  return {
    fetch: async (url) => {
      const copy = copies.read(url)
      if (copy !== undefined) return { kind: 'loaded', text: textOf(copy.bytes) }
      return {
        kind: 'unreachable',
        reason: 'nothing is fetched with `--offline`, and there is no cached copy',
        hint: 'Run the command once without `--offline` to create the copy.',
      }
    },
    fetchFont: async (source) => readFontCopy(source, cacheFolder),
  }
}

type Wanted = { readonly url: string; readonly isPart: boolean }

async function fetchSpecification(
  wanted: Wanted,
  copies: HostedCopies,
  options: FetchOptions,
): Promise<SpecificationOutcome> {
  const { url } = wanted
  const copy = copies.read(url)
  const outcome = await ask(url, copy, options)
  switch (outcome.kind) {
    case 'loaded':
      return accept(wanted, outcome, { copy, copies, now: options.now })
    case 'not-modified':
      if (copy !== undefined) return { kind: 'loaded', text: textOf(copy.bytes) }
      return unreachable('the server responded with "not modified", but there is no cached copy')
    case 'refused':
    case 'failed':
      return explain(url, outcome, copy)
  }
}

async function ask(
  url: string,
  copy: HostedCopy | undefined,
  { allowPrivateHosts, signal, send }: FetchOptions,
): Promise<OutboundOutcome> {
  // The HTTP client is loaded on demand, because most sites have no hosted specification.
  const { fetchOutbound } = await import('@octavo/outbound')
  const headers = {
    accept: ACCEPT,
    ...(copy?.etag === undefined ? {} : { 'if-none-match': copy.etag }),
    ...(copy?.lastModified === undefined ? {} : { 'if-modified-since': copy.lastModified }),
  }
  return (send ?? fetchOutbound)({ url, allowPrivateHosts, headers, ...(signal && { signal }) })
}

type Accepting = {
  readonly copy: HostedCopy | undefined
  readonly copies: HostedCopies
  readonly now: () => number
}

/** Stores a fetched document if it is usable. An unusable document never replaces a usable copy. */
function accept(
  { url, isPart }: Wanted,
  { bytes, etag, lastModified }: OutboundLoaded,
  { copy, copies, now }: Accepting,
): SpecificationOutcome {
  const text = textOf(bytes)
  const isSame = copy !== undefined && text === textOf(copy.bytes)
  const problem = isSame ? undefined : findProblem({ url, isPart }, text)
  if (problem === undefined) {
    copies.write(url, { bytes, fetchedAtMs: now(), etag, lastModified })
    return { kind: 'loaded', text }
  }
  if (copy === undefined) return { kind: 'malformed', text }
  return stale(copy, 'unusable', problem)
}

/** Returns the first reason why the text is unusable, or undefined if it is usable. */
function findProblem({ url, isPart }: Wanted, text: string): string | undefined {
  if (isMarkup(text)) return 'it is a web page, not a specification'
  const { isUsable, diagnostics } = isPart ? readPart(url, text) : readWhole(url, text)
  if (isUsable) return undefined
  const first = diagnostics.find(({ severity }) => severity === 'error')
  const { line, column } = first?.place ?? { line: 1, column: 1 }
  return `line ${line}, column ${column}: ${first?.message ?? 'it is not a specification'}`
}

function readWhole(url: string, text: string) {
  const document = parseDocument(url, text, () => {})
  // The specification that an overlay extends is fetched later.
  if (document !== undefined && isOverlay(document)) return { isUsable: true, diagnostics: [] }
  const { specification, diagnostics } = parseSpecification(url, text)
  return { isUsable: specification !== undefined, diagnostics }
}

/** Reads a part of a specification, which must be JSON or YAML. */
function readPart(url: string, text: string) {
  const list = new DiagnosticList()
  const isUsable = parseDocument(url, text, list.report) !== undefined
  return { isUsable, diagnostics: list.sorted() }
}

/**
 * Returns true for HTML or XML, which is neither JSON nor YAML but often a repository's web page or
 * a sign-in page.
 */
export function isMarkup(text: string): boolean {
  return /^\uFEFF?\s*<(?:[!?a-z])/i.test(text)
}

async function explain(
  url: string,
  failure: OutboundFailure,
  copy: HostedCopy | undefined,
): Promise<SpecificationOutcome> {
  const { OUTBOUND_LIMITS, printOutboundFailure } = await import('@octavo/outbound')
  const reason = printOutboundFailure(failure, url)
  const isOwnAddress = failure.url === URL.parse(url)?.href
  const isHostAtFault = failure.kind === 'failed' || failure.reason === 'redirects' || !isOwnAddress
  // A copy is used if the host is down, but not if the address must not be requested.
  if (isHostAtFault && copy !== undefined) return stale(copy, 'unreachable', reason)
  if (failure.kind === 'failed') {
    const { bytesMax } = OUTBOUND_LIMITS
    return failure.reason === 'too-large' ? { kind: 'too-large', bytesMax } : unreachable(reason)
  }
  if (failure.reason === 'redirects') return unreachable(reason)
  return { kind: 'refused', reason, hint: refusalHint(failure) }
}

function refusalHint({ reason, url }: Extract<OutboundFailure, { kind: 'refused' }>): string {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')
  if (reason === 'address' || reason === 'port')
    return `If you trust it, allow it for this run with \`--allow-private-host ${host}\`, or ${USE_A_FILE}.`
  return `Write a URL such as \`https://example.com/openapi.json\`, or ${USE_A_FILE}.`
}

function unreachable(reason: string): SpecificationOutcome {
  return {
    kind: 'unreachable',
    reason,
    hint: `Check the URL in a browser and correct it, try again later, or ${USE_A_FILE}.`,
  }
}

function stale(
  { bytes, fetchedAtMs }: HostedCopy,
  because: 'unreachable' | 'unusable',
  reason: string,
): SpecificationOutcome {
  return { kind: 'stale', text: textOf(bytes), fetchedAtMs, because, reason }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
}
