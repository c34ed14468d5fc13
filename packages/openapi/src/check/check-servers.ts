import type { NodeId } from '../document/tape.ts'
import type { Problems } from './problems.ts'
import { problemOfServer } from './server-url.ts'

/** Reports servers to which a browser cannot or must not send requests. */
export function checkServers(servers: NodeId | undefined, problems: Problems): void {
  const { document } = problems
  for (const server of document.items(servers)) {
    const node = document.field(server, 'url')
    const url = document.textField(server, 'url')
    if (node === undefined || url === undefined) continue
    const problem = problemOfServer(document, server)
    if (problem !== undefined) {
      problems.add('openapi/server-url', node, {
        message: `The server URL \`${printServer(url)}\` is not used: ${problem}.`,
        hint: 'Write a URL such as `https://api.example.com/v1`, or a path.',
      })
    }
    const variables = document.field(server, 'variables')
    for (const [, name = ''] of url.matchAll(/\{([^{}]+)\}/g)) {
      if (document.field(variables, name) !== undefined) continue
      problems.add('openapi/server-url', node, {
        message: `The server \`${printServer(url)}\` does not define its variable \`${name}\`.`,
        hint: `Add \`${name}\` with a \`default\` under \`variables\`.`,
      })
    }
    checkDefaults(variables, problems)
  }
}

function checkDefaults(variables: NodeId | undefined, problems: Problems): void {
  const { document } = problems
  for (const [name, variable] of document.entries(variables)) {
    const value = document.textField(variable, 'default')
    const allowed = document.texts(document.field(variable, 'enum'))
    const node = document.field(variable, 'default')
    if (node === undefined || value === undefined || allowed.length === 0) continue
    if (allowed.includes(value)) continue
    problems.add('openapi/wrong-value', node, {
      message: `The default of the server variable \`${name}\` is not one of its \`enum\` values.`,
      hint: `Write one of ${allowed
        .slice(0, 5)
        .map((text) => `\`${text}\``)
        .join(', ')}.`,
    })
  }
}

/** Hides a password in the URL, so that messages do not repeat it. */
function printServer(url: string): string {
  return url.slice(0, 200).replace(/\/\/[^/?#]*@/, '//…@')
}
