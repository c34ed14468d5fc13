/**
 * Determines which part of the service handles a path of a site; all other paths are files of the
 * site.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteReader } from '../access/find-reader.ts'
import type { SiteView } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

/** The part that handles a request, for metrics. */
export type SiteMetric = 'site' | 'assistant' | 'mcp'

/** One request to a live site. */
export type SiteExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly slug: string
  readonly pointer: SitePointer
  readonly reader: SiteReader
  readonly view: SiteView
  readonly pathname: string
  /** Includes the question mark; empty without a query. */
  readonly search: string
}

export type SiteRoute = {
  /** A trailing slash matches all paths below. */
  readonly paths: readonly string[]
  /** The required prefix: the site's base path, none, either of them, or anything. */
  readonly after: 'base' | 'root' | 'either' | 'anything'
  /** Requests with other methods continue with the next routes. */
  readonly methods: ReadonlySet<string>
  /** Bodies at other paths are rejected before they are read. */
  readonly bodyBytesMax: number
  readonly metric: SiteMetric
  /** Limits the route to certain sites and readers; undefined for all. */
  readonly isFor?: (exchange: SiteExchange) => boolean
  readonly handle: (exchange: SiteExchange) => Promise<void> | void
}

export class SiteRouter {
  /**
   * Routes by the last segment of a path, including those that match all paths below: most pages
   * check only these.
   */
  readonly #byEnd: ReadonlyMap<string, readonly SiteRoute[]>

  /** The first matching route handles a request. */
  constructor(routes: readonly SiteRoute[]) {
    const ends = new Set([BELOW, ...routes.flatMap(({ paths }) => paths.map(endOf))])
    const at = (end: string) =>
      routes.filter(({ paths }) => paths.some((own) => [BELOW, end].includes(endOf(own))))
    this.#byEnd = new Map([...ends].map((end) => [end, at(end)]))
  }

  find(exchange: SiteExchange): SiteRoute | undefined {
    const { request, pathname, view } = exchange
    return this.#mayBeAt(pathname).find(
      (route) =>
        route.methods.has(request.method ?? '') &&
        isBelow(route, pathname, view.basePath) &&
        route.isFor?.(exchange) !== false,
    )
  }

  /** Checks whether a route may accept a method at a path, before the site is looked up. */
  mayAcceptMethod(method: string, path: string): boolean {
    const found = this.#mayBeAt(path)
    return found.some((route) => route.methods.has(method) && isAtEnd(route, path))
  }

  /**
   * Returns the maximum body size, before the site is looked up. Routes match exactly once the base
   * path is known, so some bodies are accepted needlessly.
   */
  bodyBytesMaxOf(path: string): number {
    const found = this.#mayBeAt(path).filter((route) => isAtEnd(route, path))
    return Math.max(0, ...found.map(({ bodyBytesMax }) => bodyBytesMax))
  }

  #mayBeAt(path: string): readonly SiteRoute[] {
    return this.#byEnd.get(endOf(path)) ?? this.#byEnd.get(BELOW) ?? []
  }
}

/** The end of paths that match all paths below. */
const BELOW = '/'
const endOf = (path: string) => path.slice(path.lastIndexOf('/'))

/** Returns the rest of a request's path after the base path and the route's path. */
export const pathBelow = ({ pathname, view }: SiteExchange, own: string) =>
  pathname.slice(view.basePath.length + own.length)

function isBelow(route: SiteRoute, path: string, basePath: string): boolean {
  const { paths, after } = route
  if (after === 'anything') return isAtEnd(route, path)
  const isAfterBase = after !== 'root' && path.startsWith(basePath)
  return paths.some(
    (own) =>
      (isAfterBase && isAt(own, path, basePath.length)) || (after !== 'base' && isAt(own, path, 0)),
  )
}

/** For any base path. */
const isAtEnd = ({ paths }: SiteRoute, path: string) =>
  paths.some((own) =>
    isAt(own, path, own.endsWith('/') ? path.indexOf(own) : path.length - own.length),
  )

const isAt = (own: string, path: string, start: number) =>
  (path.length === start + own.length || own.endsWith('/')) && path.startsWith(own, start)
