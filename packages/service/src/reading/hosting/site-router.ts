/** Finds the route of the service for a path of a site. All other paths are files of the site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteReader } from '../access/find-reader.ts'
import type { SiteView } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

/** The part of the service that handles a request, as metrics name it. */
export type SiteMetric = 'site' | 'assistant' | 'mcp'

/** A request to a live site. */
export type SiteExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly slug: string
  readonly pointer: SitePointer
  readonly reader: SiteReader
  readonly view: SiteView
  readonly pathname: string
  /** The query with its question mark; empty without a query. */
  readonly search: string
}

export type SiteRoute = {
  /** The paths of the route. A path that ends with a slash also matches all paths below it. */
  readonly paths: readonly string[]
  /** What must precede the path: the site's base path, nothing, either of the two, or anything. */
  readonly after: 'base' | 'root' | 'either' | 'anything'
  /**
   * The methods that the route handles. Requests with other methods continue with the next route.
   */
  readonly methods: ReadonlySet<string>
  /**
   * The maximum size of a request body. Requests with a larger body are rejected before it is read.
   */
  readonly bodyBytesMax: number
  readonly metric: SiteMetric
  /** Limits the route to certain sites and readers. If undefined, it applies to all of them. */
  readonly isFor?: (exchange: SiteExchange) => boolean
  readonly handle: (exchange: SiteExchange) => Promise<void> | void
}

export class SiteRouter {
  /**
   * Maps the last segment of a path to the routes that may match it, including those that match all
   * paths below their own. For most pages, only the latter have to be checked.
   */
  readonly #byEnd: ReadonlyMap<string, readonly SiteRoute[]>

  /** Creates a router. The first route that matches a request handles it. */
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

  /** Checks whether a route may handle this method and path. The site is not known yet. */
  mayAcceptMethod(method: string, path: string): boolean {
    const found = this.#mayBeAt(path)
    return found.some((route) => route.methods.has(method) && isAtEnd(route, path))
  }

  /**
   * Returns the maximum size of a request body for this path. The base path of the site is not
   * known yet, so the result may be higher than necessary.
   */
  bodyBytesMaxOf(path: string): number {
    const found = this.#mayBeAt(path).filter((route) => isAtEnd(route, path))
    return Math.max(0, ...found.map(({ bodyBytesMax }) => bodyBytesMax))
  }

  #mayBeAt(path: string): readonly SiteRoute[] {
    return this.#byEnd.get(endOf(path)) ?? this.#byEnd.get(BELOW) ?? []
  }
}

/** The key of routes that match all paths below theirs. */
const BELOW = '/'
const endOf = (path: string) => path.slice(path.lastIndexOf('/'))

/** Returns the rest of the request's path, after the base path and the path of the route. */
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

/** Checks whether a route matches a path after some base path. */
const isAtEnd = ({ paths }: SiteRoute, path: string) =>
  paths.some((own) =>
    isAt(own, path, own.endsWith('/') ? path.indexOf(own) : path.length - own.length),
  )

const isAt = (own: string, path: string, start: number) =>
  (path.length === start + own.length || own.endsWith('/')) && path.startsWith(own, start)
