/** Which part of the service answers a path of a site; files of the site are at all others. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SiteReader } from '../access/find-reader.ts'
import type { SiteView } from './find-file.ts'
import type { SitePointer } from './site-directory.ts'

/** What answers a request, for metrics. */
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
  /** With its question mark; empty without one. */
  readonly search: string
}

export type SiteRoute = {
  /** With a slash at its end, a path and all below it. */
  readonly paths: readonly string[]
  /** What comes before: the base path of the site, nothing, either of them, or anything. */
  readonly after: 'base' | 'root' | 'either' | 'anything'
  /** With another method, the request goes to the routes behind this one. */
  readonly methods: ReadonlySet<string>
  /** Bodies of other paths are refused before they are read. */
  readonly bodyBytesMax: number
  readonly metric: SiteMetric
  /** The sites and readers that it is for; all without it. */
  readonly isFor?: (exchange: SiteExchange) => boolean
  readonly handle: (exchange: SiteExchange) => Promise<void> | void
}

export class SiteRouter {
  /** Routes by the last segment of a path, each with those for all below a path: most pages meet only these. */
  readonly #byEnd: ReadonlyMap<string, readonly SiteRoute[]>

  /** The first route that is for a request answers it. */
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

  /** Whether a route may take a method at a path of a site that is not looked up yet. */
  mayTake(method: string, path: string): boolean {
    const found = this.#mayBeAt(path)
    return found.some((route) => route.methods.has(method) && isAtEnd(route, path))
  }

  /** The same for bodies. Once the base path is known, routes match exactly, so some bodies are allowed in vain. */
  bodyBytesMaxOf(path: string): number {
    const found = this.#mayBeAt(path).filter((route) => isAtEnd(route, path))
    return Math.max(0, ...found.map(({ bodyBytesMax }) => bodyBytesMax))
  }

  #mayBeAt(path: string): readonly SiteRoute[] {
    return this.#byEnd.get(endOf(path)) ?? this.#byEnd.get(BELOW) ?? []
  }
}

/** The end of paths that include all paths below them. */
const BELOW = '/'
const endOf = (path: string) => path.slice(path.lastIndexOf('/'))

/** The rest of the path of a request, after the base path and the path of its route. */
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

/** Whatever the base path is. */
const isAtEnd = ({ paths }: SiteRoute, path: string) =>
  paths.some((own) =>
    isAt(own, path, own.endsWith('/') ? path.indexOf(own) : path.length - own.length),
  )

const isAt = (own: string, path: string, start: number) =>
  (path.length === start + own.length || own.endsWith('/')) && path.startsWith(own, start)
