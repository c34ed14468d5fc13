import type { Operation } from '../operations/list-operations.ts'
import type { ServerData } from '../pages/page-data.ts'
import { ownServers, serversData } from '../pages/server-data.ts'
import type { Specification } from '../specification.ts'

/** The maximum number of paths of servers. */
const PATHS_MAX = 20

/** Returns the paths of the servers, such as `/v1`, longest first, without the empty path. */
export function serverPaths(
  specification: Specification,
  operations: readonly Operation[],
): readonly string[] {
  const { document } = specification
  const written = document.field(document.root, 'servers')
  const servers = [
    ...(written === undefined ? [] : serversData(specification, written)),
    ...operations.flatMap((operation) => ownServers(specification, operation) ?? []),
  ]
  const paths = new Set(servers.map(pathOf).filter((path) => path !== ''))
  return [...paths].slice(0, PATHS_MAX).toSorted((a, b) => b.length - a.length)
}

function pathOf({ url, variables }: ServerData): string {
  const values = new Map(variables?.map((variable) => [variable.name, variable.default]))
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => values.get(name) ?? '')
  const path = URL.parse(filled, 'http://localhost/')?.pathname ?? ''
  return path.replace(/\/+$/, '')
}
