/** Finds the documented servers in the code of a sample, to send its requests elsewhere. */
import type { ServerData, ServerVariable } from '../pages/page-data.ts'

/** A placeholder for a variable, as authors write it: `{tenant}`, `<tenant>` or `$TENANT`. */
const PLACEHOLDER = '\\{[\\w-]+\\}|<[\\w-]+>|\\$\\{?\\w+\\}?'
const ANY_NAME = '[\\w-]+'
/** Matches the end of a host name that is enough to know the host, such as `.example.com`. */
const KNOWN_HOST = /\.[\w-]+\.[a-z]+(?::\d+)?$/i

export class ServerUrls {
  /** The origins as written, for messages. */
  readonly origins: readonly string[]
  readonly #pattern: RegExp | undefined
  readonly #basePaths: readonly RegExp[]

  constructor(servers: readonly ServerData[]) {
    const absolute = servers.flatMap(({ url, variables = [] }) => {
      const [, origin, path = ''] = /^(https?:\/\/[^/?#]+)(\/[^?#]*)?/i.exec(url) ?? []
      if (origin === undefined) return []
      const names = KNOWN_HOST.test(origin) ? ANY_NAME : undefined
      return [
        {
          origin,
          pattern: patternOf(origin, { variables, names }),
          path: patternOf(path.replace(/\/+$/, ''), { variables, names: '[\\w.-]+' }),
        },
      ]
    })
    this.origins = [...new Set(absolute.map(({ origin }) => origin))]
    // A longer origin comes first, so that `https://a.example:8080` is not read as a shorter one.
    const patterns = absolute.map(({ pattern }) => pattern).toSorted((a, b) => b.length - a.length)
    // An origin ends where a host name cannot go on.
    const end = '(?![\\w-]|\\.\\w|:\\d)'
    this.#pattern =
      patterns.length === 0 ? undefined : new RegExp(`(?:${patterns.join('|')})${end}`, 'gi')
    this.#basePaths = absolute
      .map(({ path }) => path)
      .toSorted((a, b) => b.length - a.length)
      .map((path) => new RegExp(`^${path}(?=[/?]|$)`))
  }

  /** Returns the code with another origin; undefined if it has none of the documented servers. */
  replace(source: string, origin: string): string | undefined {
    if (this.#pattern === undefined) return undefined
    const replaced = source.replaceAll(this.#pattern, origin)
    return replaced === source ? undefined : replaced
  }

  /** Returns a path without that of its server; undefined if it is not below a server's path. */
  below(target: string): string | undefined {
    const base = this.#basePaths.find((one) => one.test(target))
    if (base === undefined) return undefined
    const rest = target.replace(base, '')
    return rest.startsWith('/') ? rest : `/${rest}`
  }
}

type Variables = {
  readonly variables: readonly ServerVariable[]
  /** Matches further values of a variable. */
  readonly names: string | undefined
}

/** Returns a pattern for a URL, in which a variable has a documented value or is a placeholder. */
function patternOf(url: string, { variables, names }: Variables): string {
  return url.replaceAll(/\{([^{}]*)\}|[.*+?^${}()|[\]\\]/g, (text, name: string | undefined) => {
    if (name === undefined) return `\\${text}`
    const variable = variables.find((one) => one.name === name)
    const values = [variable?.default ?? '', ...(variable?.values ?? [])].filter(
      (one) => one !== '',
    )
    const known = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return `(?:${[...known, ...(names === undefined ? [] : [names]), PLACEHOLDER].join('|')})`
  })
}
