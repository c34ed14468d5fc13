/**
 * Checks that linked pages of other sites still exist. At most one request at a time is sent to a
 * host, with HEAD if that is enough, and none for URLs that were checked within a day. Only a clear
 * "not found" is reported; a site that is slow, blocks bots or fails is ignored.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { PageLink } from '@octavo/content'
import { diagnose, type Place, type Report } from '@octavo/model'
import type { Answer } from './request-page-status.ts'

export type ExternalOptions = {
  /** The file in which results are cached. */
  readonly cacheFile: string
  readonly nowMs: number
  /** Private hosts that may be requested, written as in URLs. */
  readonly allowPrivateHosts: readonly string[]
}

type ExternalCheck = ExternalOptions & {
  readonly placeOf: (link: PageLink) => Place
  readonly report: Report
}

const KEEP_MS = 24 * 3_600_000
const HOSTS_AT_ONCE = 8
/** Matches host names that are reserved for examples (RFC 2606, RFC 6761). */
const EXAMPLE_HOST =
  /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost|local|internal)$/i
/** Matches placeholders that the reader has to fill in. */
const TEMPLATE = /[{}<>[\]]|%7B|%3C|\.\.\.|…|YOUR[_-]|your-/i

type Known = Record<string, { readonly atMs: number; readonly answer: Answer }>

export async function checkExternalLinks(
  links: readonly PageLink[],
  check: ExternalCheck,
): Promise<void> {
  const byUrl = new Map<string, PageLink[]>()
  for (const link of links) {
    const url = askedUrl(link, check.allowPrivateHosts)
    if (url !== undefined) byUrl.set(url, [...(byUrl.get(url) ?? []), link])
  }
  const known = readKnown(check)
  const byHost = Map.groupBy(
    [...byUrl.keys()].filter((url) => known[url] === undefined),
    (url) => new URL(url).host,
  )
  const queue = [...byHost.values()]
  // The HTTP client is loaded on demand: this takes 40 ms, and no other command needs it.
  const { requestPageStatus } = await import('./request-page-status.ts')
  const ask = (url: string) => requestPageStatus(url, check.allowPrivateHosts)
  const lanes = Array.from({ length: HOSTS_AT_ONCE }, async () => {
    for (let urls = queue.pop(); urls !== undefined; urls = queue.pop()) {
      for (const url of urls) known[url] = { atMs: check.nowMs, answer: await ask(url) }
    }
  })
  await Promise.all(lanes)
  writeKnown(check.cacheFile, known)
  for (const [url, places] of byUrl) {
    const answer = known[url]?.answer
    if (answer?.kind !== 'gone') continue
    for (const link of places) reportBrokenUrl(link, answer.reason, check)
  }
}

function reportBrokenUrl(link: PageLink, reason: string, { placeOf, report }: ExternalCheck): void {
  const message = `Broken link \`${link.url}\`: ${reason}.`
  const hint = 'Update the URL, or remove the link.'
  report(diagnose('link/external', placeOf(link), { message, hint }))
}

/** Returns the URL without its fragment, or undefined if it is not a page of another site. */
function askedUrl(
  { kind, url }: PageLink,
  allowPrivateHosts: readonly string[],
): string | undefined {
  if (kind !== 'link' || !/^https?:\/\//i.test(url) || TEMPLATE.test(url)) return undefined
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '') return undefined
  if (!allowPrivateHosts.includes(parsed.hostname) && !isPublicName(parsed)) return undefined
  parsed.hash = ''
  return parsed.href
}

/** Checks whether a URL has a public host name and the default port. */
function isPublicName({ hostname, port }: URL): boolean {
  if (port !== '' || !hostname.includes('.') || EXAMPLE_HOST.test(hostname)) return false
  return isIP(hostname) === 0
}

function readKnown({ cacheFile, nowMs }: ExternalOptions): Known {
  const known: Known = Object.create(null)
  try {
    const written = JSON.parse(readFileSync(cacheFile, 'utf8')) as Known
    for (const [url, entry] of Object.entries(written)) {
      if (nowMs - entry.atMs < KEEP_MS && entry.atMs <= nowMs) known[url] = entry
    }
  } catch {
    // If the file is missing or unreadable, all URLs are checked again.
  }
  return known
}

function writeKnown(cacheFile: string, known: Known): void {
  writeFileSync(cacheFile, JSON.stringify(known))
}
