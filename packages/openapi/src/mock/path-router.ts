/**
 * Finds the operation of a path. A segment of a template may mix text and parameters, such as
 * `{id}.json`, and is matched without backtracking, because authors are untrusted.
 */
import { nearest } from '@octavo/model'
import type { Operation } from '../operations/list-operations.ts'
import { decodePart } from './decode-part.ts'

type Part = { readonly kind: 'text' | 'parameter'; readonly text: string }

export type Route = {
  readonly template: string
  readonly segments: readonly (readonly Part[])[]
  readonly operations: Map<string, Operation>
}

export type FoundRoute = {
  readonly route: Route
  /** The values of the path's parameters, percent-encoded. */
  readonly values: ReadonlyMap<string, string>
}

/** The maximum number of paths that a misspelled one is compared with. */
const COMPARED_MAX = 5_000

export class PathRouter {
  /** The routes by their number of segments, those with more fixed text first. */
  readonly #routes = new Map<number, Route[]>()

  constructor(operations: readonly Operation[]) {
    const byTemplate = new Map<string, Route>()
    for (const operation of operations) {
      if (operation.kind === 'webhook') continue
      const [template = '/'] = operation.path.split(/[?#]/)
      const route = byTemplate.get(template) ?? createRoute(template)
      if (!route.operations.has(operation.method)) route.operations.set(operation.method, operation)
      byTemplate.set(template, route)
    }
    for (const route of byTemplate.values()) {
      const list = this.#routes.get(route.segments.length)
      if (list === undefined) this.#routes.set(route.segments.length, [route])
      else list.push(route)
    }
    for (const list of this.#routes.values()) list.sort(byFixedText)
  }

  /**
   * Returns the routes with the most fixed text. Templates that differ only in the names of
   * parameters are equal; of those, only routes that have the method are returned, if any has.
   */
  find(path: string, method: string): readonly FoundRoute[] {
    const segments = segmentsOf(path)
    const found: FoundRoute[] = []
    for (const route of this.#routes.get(segments.length) ?? []) {
      const values = matchRoute(route, segments)
      if (values === undefined) continue
      const [first] = found
      if (first !== undefined && byFixedText(first.route, route) !== 0) break
      found.push({ route, values })
    }
    const withMethod = found.filter(({ route }) => route.operations.has(method))
    return withMethod.length > 0 ? withMethod : found
  }

  /** Returns the template that the caller probably meant. */
  nearest(path: string): string | undefined {
    const segments = segmentsOf(path)
    const routes = (this.#routes.get(segments.length) ?? []).slice(0, COMPARED_MAX)
    const filled = routes.map((route) => {
      const texts = route.segments.map((parts, at) =>
        isFixed(parts) ? (parts[0]?.text ?? '') : (segments[at] ?? ''),
      )
      return [`/${texts.join('/')}`, route.template] as const
    })
    const typo = nearest(
      path,
      filled.map(([text]) => text),
    )
    if (typo !== undefined) return filled.find(([text]) => text === typo)?.[1]
    return this.#longestShared(segments)
  }

  /** Returns the template with the most equal segments at the start, if it shares any. */
  #longestShared(segments: readonly string[]): string | undefined {
    let best = 0
    let found: string | undefined
    for (const route of [...this.#routes.values()].flat()) {
      const differs = route.segments.findIndex(
        (parts, at) => matchSegment(parts, segments[at] ?? '') === undefined,
      )
      const shared = differs === -1 ? route.segments.length : differs
      const hasText = route.segments.slice(0, shared).some(isFixed)
      if (!hasText || shared < best || (shared === best && found !== undefined)) continue
      best = shared
      found = route.template
    }
    return found
  }
}

function createRoute(template: string): Route {
  return { template, segments: segmentsOf(template).map(partsOf), operations: new Map() }
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/^\//, '').split('/')
}

function partsOf(segment: string): readonly Part[] {
  return [...segment.matchAll(/\{([^{}]*)\}|[^{]+|\{/g)].map(([text, name]) =>
    name === undefined ? { kind: 'text', text } : { kind: 'parameter', text: name },
  )
}

function isFixed(parts: readonly Part[]): boolean {
  return parts.every(({ kind }) => kind === 'text')
}

/** Sorts `/pets/mine` before `/pets/{id}.json`, and that before `/pets/{id}`. */
function byFixedText(a: Route, b: Route): number {
  for (const [at, parts] of a.segments.entries()) {
    const difference = textLength(b.segments[at] ?? []) - textLength(parts)
    if (difference !== 0) return difference
  }
  return 0
}

function textLength(parts: readonly Part[]): number {
  if (isFixed(parts)) return Number.MAX_SAFE_INTEGER
  return parts.reduce((sum, { kind, text }) => (kind === 'text' ? sum + text.length : sum), 0)
}

function matchRoute(
  route: Route,
  segments: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>()
  for (const [at, parts] of route.segments.entries()) {
    const found = matchSegment(parts, segments[at] ?? '')
    if (found === undefined) return undefined
    for (const [name, value] of found) values.set(name, value)
  }
  return values
}

/**
 * Matches one segment. A parameter ends where the text after it first occurs; the last text must be
 * at the end.
 */
function matchSegment(
  parts: readonly Part[],
  segment: string,
): readonly (readonly [name: string, value: string])[] | undefined {
  if (isFixed(parts)) {
    const text = parts[0]?.text ?? ''
    return segment === text || decodePart(segment) === decodePart(text) ? [] : undefined
  }
  const values: [string, string][] = []
  let at = 0
  for (const [index, { kind, text }] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (kind === 'text') {
      if (!segment.startsWith(text, at)) return undefined
      at += text.length
      continue
    }
    const next = parts[index + 1]
    const following = next?.kind === 'text' ? next.text : undefined
    const isBeforeLast = index === parts.length - 2
    let end = segment.length
    if (!isLast && following !== undefined) {
      end = isBeforeLast ? segment.length - following.length : segment.indexOf(following, at + 1)
    } else if (!isLast) end = at + 1
    if (end <= at) return undefined
    values.push([text, segment.slice(at, end)])
    at = end
  }
  return at === segment.length ? values : undefined
}
