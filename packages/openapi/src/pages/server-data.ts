import { problemOfServer } from '../check/server-url.ts'
import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { defined, undefinedIfEmpty } from './endpoint-data.ts'
import type { ServerData, ServerVariable } from './page-data.ts'

/**
 * Returns the servers of the operation or its path; undefined to use those of the document (rule
 * 2).
 */
export function ownServers(
  specification: Specification,
  operation: Operation,
): readonly ServerData[] | undefined {
  const { document } = specification
  for (const owner of [operation.node, operation.pathItem]) {
    const servers = document.field(owner, 'servers')
    if (servers !== undefined) return serversData(specification, servers)
  }
  return undefined
}

export function serversData({ document }: Specification, servers: NodeId): readonly ServerData[] {
  return document.items(servers).flatMap((server) => {
    const url = document.textField(server, 'url')
    if (url === undefined || problemOfServer(document, server) !== undefined) return []
    const variables = document
      .entries(document.field(server, 'variables'))
      .map(([name, variable]) =>
        defined<ServerVariable>({
          name,
          default: document.textField(variable, 'default') ?? '',
          values: undefinedIfEmpty(document.texts(document.field(variable, 'enum'))),
          description: document.textField(variable, 'description'),
        }),
      )
    const description = document.textField(server, 'description')
    return [defined<ServerData>({ url, description, variables: undefinedIfEmpty(variables) })]
  })
}
