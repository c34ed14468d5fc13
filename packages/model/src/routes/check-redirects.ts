import { diagnose, type Fix, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonObject, placeOfMember } from '../json/json-node.ts'
import { correctValue } from '../schema/schema.ts'
import {
  exampleOf,
  isExternalDestination,
  isReservedSource,
  matchPattern,
  normalizeRedirectPath,
  type Pattern,
  parsePattern,
  type Redirect,
  RedirectTable,
  unreachablePart,
  wildcardBeforePath,
  wildcardNames,
} from './redirects.ts'

/** A redirect with its node in docs.json. */
export type WrittenRedirect = Redirect & { readonly node: JsonObject }

/** Returns the redirects with their places. Invalid entries have already been reported. */
export function writtenRedirects(root: JsonObject): readonly WrittenRedirect[] {
  const list = root.members.get('redirects')?.value
  if (list?.type !== 'array') return []
  return list.items.flatMap((node) => {
    if (node.type !== 'object') return []
    const source = node.members.get('source')?.value
    const destination = node.members.get('destination')?.value
    const permanent = node.members.get('permanent')?.value
    if (source?.type !== 'string' || destination?.type !== 'string') return []
    if (source.value.trim() === '' || destination.value.trim() === '') return []
    const isPermanent = permanent?.type === 'boolean' ? permanent.value : true
    return [
      {
        source: source.value.trim(),
        destination: destination.value.trim(),
        permanent: isPermanent,
        node,
      },
    ]
  })
}

export type RedirectCheck = {
  readonly redirects: readonly WrittenRedirect[]
  /** Checks whether a page has this address. */
  readonly isPage: (url: string) => boolean
  readonly report: Report
}

/** Reports loops, chains, redirects that are never used, and invalid wildcards. */
export function checkRedirects(check: RedirectCheck): void {
  const { redirects, isPage, report } = check
  const table = new RedirectTable(redirects, isPage)
  const earlier: { readonly pattern: Pattern; readonly redirect: WrittenRedirect }[] = []
  const sources = new Map<string, WrittenRedirect>()
  const written = new Set(redirects.map(({ source }) => source))
  for (const redirect of redirects) {
    checkSlashes(redirect, written, report)
    if (isReservedSource(redirect.source)) {
      reportReserved(redirect, report)
      continue
    }
    if (unreachablePart(redirect.source) !== undefined) {
      reportUnreachable(redirect, table, check)
      continue
    }
    const source = normalizeRedirectPath(redirect.source)
    const duplicate = sources.get(source)
    if (duplicate !== undefined) {
      // If the sources are identical, they have already been reported as duplicate values.
      if (duplicate.source !== redirect.source)
        reportCovered(redirect, duplicate, { hint: 'Remove one of the two.', report })
      continue
    }
    sources.set(source, redirect)
    const pattern = parsePattern(source)
    checkWildcards(redirect, pattern, report)
    if (pattern === undefined) {
      checkReach(redirect, isPage, report)
      checkChain(redirect, table, check)
      continue
    }
    checkPatternReach(redirect, pattern, earlier, report)
    checkPatternLoop(redirect, pattern, { isPage, report })
    earlier.push({ pattern, redirect })
  }
}

function reportReserved({ source, node }: WrittenRedirect, report: Report): void {
  report(
    diagnose('redirect/reserved', placeOfMember(node, 'source'), {
      message: `The source "${source}" is below "/_octavo/", where Octavo keeps its own files, so this redirect is never used.`,
      hint: 'Remove it, or choose a source outside of "/_octavo/".',
    }),
  )
}

function reportUnreachable(
  { source, node }: WrittenRedirect,
  table: RedirectTable,
  { isPage, report }: RedirectCheck,
): void {
  const part = unreachablePart(source)
  const why =
    part === '#'
      ? 'browsers never send what follows `#`'
      : 'redirects match the path, not the query string'
  const path = normalizeRedirectPath(source)
  const isTaken = isPage(path) || table.match(path) !== undefined
  report(
    diagnose('redirect/fragment', placeOfMember(node, 'source'), {
      message: `The source "${source}" has a \`${part}\`: ${why}, so this redirect is never used.`,
      hint: isTaken ? 'Remove it.' : `Remove it, or redirect all of "${path}".`,
    }),
  )
}

function checkSlashes(
  { source, destination, node }: WrittenRedirect,
  written: ReadonlySet<string>,
  report: Report,
): void {
  const isDestination = !destination.startsWith('/') && !isExternalDestination(destination)
  if (source.startsWith('/')) {
    if (!isDestination) return
    report(
      diagnose('redirect/relative-path', placeOfMember(node, 'destination'), {
        message: `The destination "${destination}" does not start with a slash.`,
        hint: `It is interpreted as "/${destination}".`,
        fix: withSlash(node, 'destination'),
      }),
    )
    return
  }
  report(
    diagnose('redirect/relative-path', placeOfMember(node, 'source'), {
      message: isDestination
        ? `Neither the source "${source}" nor the destination "${destination}" starts with a slash.`
        : `The source "${source}" does not start with a slash.`,
      hint: isDestination
        ? `They are interpreted as "/${source}" and "/${destination}".`
        : `It is interpreted as "/${source}".`,
      // With a slash, this source would be a duplicate.
      fix: written.has(`/${source}`) ? undefined : withSlash(node, 'source'),
    }),
  )
}

/**
 * Returns a fix that adds a leading slash to a path. If both paths of a redirect need a slash, each
 * round fixes one of them.
 */
function withSlash(node: JsonObject, key: 'source' | 'destination'): Fix | undefined {
  const member = node.members.get(key)
  if (member?.value.type !== 'string') return undefined
  const fix = correctValue(member.value, `/${member.value.value.trimStart()}`)
  return fix && { ...fix, distance: member.value.start - member.keyStart }
}

function checkWildcards(
  redirect: WrittenRedirect,
  pattern: Pattern | undefined,
  report: Report,
): void {
  const { source, destination, node } = redirect
  if ((pattern?.starCount ?? 0) > 1) {
    report(
      diagnose('redirect/wildcard', placeOfMember(node, 'source'), {
        message: `The source "${source}" has more than one \`*\`, so the redirect is ignored.`,
        hint: 'Keep only one `*`, and use `:name` for single segments.',
      }),
    )
  }
  const inHost = wildcardBeforePath(destination)
  if (inHost !== undefined) {
    report(
      diagnose('redirect/wildcard', placeOfMember(node, 'destination'), {
        message: `The destination "${destination}" has the wildcard \`${inHost}\` in its host, where wildcards are not replaced.`,
        hint: 'Write the full host, and use wildcards only in the path after it.',
      }),
    )
  }
  const known = pattern?.names ?? []
  const unknown = isExternalDestination(destination)
    ? undefined
    : wildcardNames(destination).find((name) => !known.includes(name))
  if (unknown === undefined) return
  report(
    diagnose('redirect/wildcard', placeOfMember(node, 'destination'), {
      message: `The destination "${destination}" uses the wildcard \`${unknown}\`, which is not in the source "${source}".`,
      hint: 'Use the same wildcard in the source and the destination, or use no wildcard in the destination.',
    }),
  )
}

function checkReach(
  redirect: WrittenRedirect,
  isPage: (url: string) => boolean,
  report: Report,
): void {
  const source = normalizeRedirectPath(redirect.source)
  if (!isPage(source)) return
  const isSelf = normalizeRedirectPath(redirect.destination) === source
  report(
    diagnose('redirect/shadowed', placeOfMember(redirect.node, 'source'), {
      message: `There is a page at "${redirect.source}", so this redirect is never used.`,
      hint: isSelf
        ? 'Remove it.'
        : 'Remove the redirect, or remove the page from the navigation so that the redirect is used.',
    }),
  )
}

function checkChain(
  redirect: WrittenRedirect,
  table: RedirectTable,
  { isPage, report }: RedirectCheck,
): void {
  const { steps, endless } = table.follow(redirect.source)
  const way = [redirect.source, ...steps.map(({ destination }) => destination)]
  const place = placeOfMember(redirect.node, 'destination')
  if (endless) {
    report(
      diagnose('redirect/loop', place, {
        message: `This redirect is a loop: ${shorten(way)}.`,
        hint: 'Point this redirect to a page.',
      }),
    )
    return
  }
  const written = way.at(-1) ?? ''
  const last = isExternalDestination(written) ? written : `/${written.replace(/^\/+/, '')}`
  const second = steps[1]?.redirect as WrittenRedirect | undefined
  // A redirect to a temporary redirect such as `/latest` is intended, since its destination may
  // change.
  if (second?.permanent !== true) return
  const isEnd = isExternalDestination(last) || pageExists(last, isPage)
  report({
    ...diagnose('redirect/chain', place, {
      message: `This redirect points to another redirect: ${shorten(way)}.`,
      hint: isEnd ? `Point this redirect directly to "${last}".` : 'Point this redirect to a page.',
      related: [{ message: 'The next redirect.', place: placeOfMember(second.node, 'source') }],
    }),
    ...(isEnd && {
      fix: { find: JSON.stringify(redirect.destination), put: JSON.stringify(last) },
    }),
  })
}

/**
 * Checks whether a destination is a page. The home page is at `/`, and `guides/index` is also at
 * `/guides`.
 */
function pageExists(destination: string, isPage: (url: string) => boolean): boolean {
  const path = normalizeRedirectPath(destination)
  return path === '/' || isPage(path) || isPage(`${path}/index`)
}

function checkPatternReach(
  redirect: WrittenRedirect,
  pattern: Pattern,
  earlier: readonly { readonly pattern: Pattern; readonly redirect: WrittenRedirect }[],
  report: Report,
): void {
  const covering = earlier.find(
    (other) => other.pattern.isOpen && pattern.prefix.startsWith(other.pattern.prefix),
  )
  if (covering === undefined) return
  const hint = 'Remove one of the two, or put the more specific one first.'
  reportCovered(redirect, covering.redirect, { hint, report })
}

function reportCovered(
  redirect: WrittenRedirect,
  first: WrittenRedirect,
  { hint, report }: { readonly hint: string; readonly report: Report },
): void {
  // This is harmless, because both redirects lead to the same destination.
  if (hasSameDestination(redirect.destination, first.destination)) return
  report(
    diagnose('redirect/shadowed', placeOfMember(redirect.node, 'source'), {
      message: `"${redirect.source}" is never used: "${first.source}" matches the same paths and comes first.`,
      hint,
      related: [
        { message: 'The redirect that comes first.', place: placeOfMember(first.node, 'source') },
      ],
    }),
  )
}

/**
 * Checks whether two destinations are equal. Destinations with wildcards never are: their values
 * depend on the source.
 */
function hasSameDestination(one: string, other: string): boolean {
  if (wildcardNames(one).length > 0) return false
  return one.replace(/^\/+/, '') === other.replace(/^\/+/, '')
}

/**
 * Reports a source that matches its own destination: `/a/:slug*` → `/a/b/:slug*` would never end.
 */
function checkPatternLoop(
  redirect: WrittenRedirect,
  pattern: Pattern,
  { isPage, report }: Pick<RedirectCheck, 'isPage' | 'report'>,
): void {
  const { destination } = redirect
  if (isExternalDestination(destination)) return
  const target = exampleOf(destination)
  if (isPage(target) || matchPattern(pattern, target) === undefined) return
  report(
    diagnose('redirect/loop', placeOfMember(redirect.node, 'destination'), {
      message: `The destination "${destination}" matches the source "${redirect.source}" again, so this redirect is a loop.`,
      hint: 'Point this redirect to a path that the source does not match.',
    }),
  )
}

/** Shortens a long chain of redirects to its start and its end. */
function shorten(way: readonly string[]): string {
  if (way.length <= 6) return way.join(' → ')
  return [...way.slice(0, 4), '…', way.at(-1)].join(' → ')
}
