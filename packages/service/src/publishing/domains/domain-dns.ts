/** Looks up custom domains in DNS, on the servers that the operator has chosen. */
import { Resolver } from 'node:dns/promises'

type TxtValues = {
  /** Values that every server returned. */
  readonly common: readonly string[]
  /** Values that at least one server returned. */
  readonly any: readonly string[]
  /** The error code of a server that returned no values, such as `ENOTFOUND`. */
  readonly failure: string | undefined
}

type DomainAddress = { readonly address: string; readonly family: number }

export type DomainDns = {
  /** A description of the DNS servers that is shown to users. */
  readonly about: string
  readonly txt: (name: string) => Promise<TxtValues>
  /** Throws an error with an error code if the name has no addresses. */
  readonly addresses: (name: string) => Promise<readonly DomainAddress[]>
  /** Returns the CNAME target of a name; undefined if it has none. */
  readonly alias: (name: string) => Promise<string | undefined>
}

const TIMEOUT_MS = 2_000
const ATTEMPTS_MAX = 2
/** How many DNS servers must return a proof, provided that the operator has set that many. */
const PROVING_SERVERS = 2
const VALUES_MAX = 100
const NONE: readonly string[] = []

export function createDomainDns(servers: readonly string[]): DomainDns {
  const create = (own: readonly string[]) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: ATTEMPTS_MAX })
    if (own.length > 0) resolver.setServers(own)
    return resolver
  }
  const all = create(servers)
  const proving: readonly Resolver[] =
    servers.length === 0 ? [all] : servers.slice(0, PROVING_SERVERS).map((one) => create([one]))
  return {
    about:
      servers.length === 0 ? 'DNS servers of this machine' : `DNS servers ${servers.join(', ')}`,
    async txt(name) {
      const answers = await Promise.all(
        proving.map(async (resolver) => {
          try {
            const records = await resolver.resolveTxt(name)
            const values: readonly string[] = records
              .slice(0, VALUES_MAX)
              .map((parts) => parts.join(''))
            return { values, failure: undefined }
          } catch (error) {
            return { values: NONE, failure: codeOf(error) }
          }
        }),
      )
      const any = [...new Set(answers.flatMap(({ values }) => values))]
      const common = any.filter((value) => answers.every(({ values }) => values.includes(value)))
      return { any, common, failure: answers.find(({ failure }) => failure)?.failure }
    },
    async addresses(name) {
      const [four, six] = await Promise.allSettled([all.resolve4(name), all.resolve6(name)])
      const found = [four, six].flatMap((result, index) =>
        result.status === 'fulfilled'
          ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
          : [],
      )
      if (found.length === 0 && four.status === 'rejected') throw four.reason
      return found
    },
    alias: async (name) => (await all.resolveCname(name).catch(() => []))[0],
  }
}

export function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? 'unknown'
}
