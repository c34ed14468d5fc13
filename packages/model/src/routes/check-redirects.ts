import { diagnose, type Report } from '../diagnostic.ts'
import { type JsonNode, type JsonObject, placeOf } from '../json/json-node.ts'
import {
  isElsewhere,
  isReachable,
  matchPattern,
  normalizeRedirectPath,
  type Pattern,
  parsePattern,
  type Redirect,
  RedirectTable,
  wildcardNames,
} from './redirects.ts'

/** A redirect and where it is written. */
export type WrittenRedirect = Redirect & { readonly node: JsonNode }

/** The redirects of a configuration with their places; entries that are not usable were reported. */
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
        ...{ source: source.value.trim(), destination: destination.value.trim() },
        ...{ permanent: isPermanent, node },
      },
    ]
  })
}

export type RedirectCheck = {
  readonly redirects: readonly WrittenRedirect[]
  /** Is there a page at this address? */
  readonly isPage: (url: string) => boolean
  readonly report: Report
}

/** Reports loops, chains, redirects that can never be reached, and wildcards that do not fit. */
export function checkRedirects({ redirects, isPage, report }: RedirectCheck): void {
  const table = new RedirectTable(redirects, isPage)
  const earlier: { readonly pattern: Pattern; readonly redirect: WrittenRedirect }[] = []
  const sources = new Map<string, WrittenRedirect>()
  for (const redirect of redirects) {
    checkSource(redirect, report)
    if (!isReachable(redirect.source)) continue
    const source = normalizeRedirectPath(redirect.source)
    const twin = sources.get(source)
    if (twin !== undefined) {
      // The same text twice was already reported as a duplicate value.
      if (twin.source !== redirect.source) reportCovered(redirect, twin, report)
      continue
    }
    sources.set(source, redirect)
    const pattern = parsePattern(source)
    checkWildcards(redirect, pattern, report)
    if (pattern === undefined) {
      checkReach(redirect, isPage, report)
      checkWay(redirect, table, report)
      continue
    }
    checkPatternReach(redirect, pattern, earlier, report)
    checkPatternLoop(redirect, pattern, { isPage, report })
    earlier.push({ pattern, redirect })
  }
}

function checkSource(redirect: WrittenRedirect, report: Report): void {
  const { source, node } = redirect
  const part = /[?#]/.exec(source)?.[0]
  if (part !== undefined) {
    const why =
      part === '#'
        ? 'browsers never send what follows `#`'
        : 'redirects look at the path, not at the query'
    report(
      diagnose('redirect/fragment', placeOf(node), {
        message: `The source "${source}" has a \`${part}\`: ${why}, so this redirect is never used.`,
        hint: `Remove it, or redirect all of "${normalizeRedirectPath(source)}".`,
      }),
    )
  }
  const paths = [source, ...(isElsewhere(redirect.destination) ? [] : [redirect.destination])]
  for (const path of paths) {
    if (path.startsWith('/')) continue
    report(
      diagnose('redirect/relative-path', placeOf(node), {
        message: `The ${path === source ? 'source' : 'destination'} "${path}" does not begin with a slash.`,
        hint: `It is read as "/${path}".`,
      }),
    )
  }
}

function checkWildcards(
  redirect: WrittenRedirect,
  pattern: Pattern | undefined,
  report: Report,
): void {
  const { source, destination, node } = redirect
  if ((pattern?.starCount ?? 0) > 1) {
    report(
      diagnose('redirect/wildcard', placeOf(node), {
        message: `The source "${source}" has more than one \`*\`; it is ignored.`,
        hint: 'Keep one `*`. Use `:name` for single segments.',
      }),
    )
  }
  const known = pattern?.names ?? []
  const unknown = isElsewhere(destination)
    ? undefined
    : wildcardNames(destination).find((name) => !known.includes(name))
  if (unknown === undefined) return
  report(
    diagnose('redirect/wildcard', placeOf(node), {
      message: `The destination "${destination}" has the wildcard \`${unknown}\`, which the source "${source}" does not have.`,
      hint: 'Use the same wildcard on both sides, or none in the destination.',
    }),
  )
}

function checkReach(
  redirect: WrittenRedirect,
  isPage: (url: string) => boolean,
  report: Report,
): void {
  if (!isPage(normalizeRedirectPath(redirect.source))) return
  report(
    diagnose('redirect/shadowed', placeOf(redirect.node), {
      message: `There is a page at "${redirect.source}", so this redirect is never used.`,
      hint: 'Remove the redirect, or the page.',
    }),
  )
}

function checkWay(redirect: WrittenRedirect, table: RedirectTable, report: Report): void {
  const { steps, endless } = table.follow(redirect.source)
  const way = [redirect.source, ...steps.map(({ destination }) => destination)]
  if (endless) {
    report(
      diagnose('redirect/loop', placeOf(redirect.node), {
        message: `This redirect never ends: ${shorten(way)}.`,
        hint: 'Point it at a page.',
      }),
    )
    return
  }
  const last = way.at(-1)
  if (steps.length < 2 || last === undefined) return
  const second = steps[1]?.redirect as WrittenRedirect | undefined
  report({
    ...diagnose('redirect/chain', placeOf(redirect.node), {
      message: `This redirect leads to another one: ${shorten(way)}.`,
      hint: `Point it at "${last}" directly.`,
      ...(second && { related: [{ message: 'The next redirect.', place: placeOf(second.node) }] }),
    }),
    fix: { find: JSON.stringify(redirect.destination), put: JSON.stringify(last) },
  })
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
  if (covering !== undefined) reportCovered(redirect, covering.redirect, report)
}

function reportCovered(redirect: WrittenRedirect, first: WrittenRedirect, report: Report): void {
  report(
    diagnose('redirect/shadowed', placeOf(redirect.node), {
      message: `"${redirect.source}" is never reached: "${first.source}" matches the same paths and comes first.`,
      hint: 'Remove one of the two, or put the more special one first.',
      related: [{ message: 'The one that comes first.', place: placeOf(first.node) }],
    }),
  )
}

/** `/a/:slug*` → `/a/b/:slug*` matches its own destination, and the path grows for ever. */
function checkPatternLoop(
  redirect: WrittenRedirect,
  pattern: Pattern,
  { isPage, report }: Pick<RedirectCheck, 'isPage' | 'report'>,
): void {
  const { destination } = redirect
  if (isElsewhere(destination)) return
  const target = normalizeRedirectPath(destination.replaceAll(/:\w+\*?|\*/g, 'x'))
  if (isPage(target) || matchPattern(pattern, target) === undefined) return
  report(
    diagnose('redirect/loop', placeOf(redirect.node), {
      message: `The destination "${destination}" matches the source "${redirect.source}" again, so this redirect never ends.`,
      hint: 'Point it outside the paths that it matches.',
    }),
  )
}

/** A long way is told by its beginning and its end. */
function shorten(way: readonly string[]): string {
  if (way.length <= 6) return way.join(' → ')
  return [...way.slice(0, 4), '…', way.at(-1)].join(' → ')
}
