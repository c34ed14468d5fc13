import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'

const SCHEME = /^([a-z][a-z\d+.-]*):/i

/** The maximum number of values to check for a variable. Further values are ignored. */
const VALUES_MAX = 100

/** Returns the reason why a server is not offered to readers; undefined if it is offered. */
export function problemOfServer(document: SpecDocument, server: NodeId): string | undefined {
  const variables = document
    .entries(document.field(server, 'variables'))
    .map(([name, variable]) => {
      const value = document.textField(variable, 'default')
      const values = document.texts(document.field(variable, 'enum'))
      return [name, value === undefined ? values : [value, ...values]] as const
    })
  return serverProblem(document.textField(server, 'url') ?? '', new Map(variables))
}

type VariableValues = ReadonlyMap<string, readonly string[]>

/**
 * Returns the reason why the URL of a server is unusable; undefined if it is fine. Also checks the
 * values of a variable at the start of the URL: `{scheme}://…` must not become `file://…`.
 */
function serverProblem(url: string, variables: VariableValues): string | undefined {
  const [first, name = ''] = /^\{([^{}]+)\}/.exec(url) ?? []
  const values = first === undefined ? undefined : variables.get(name)
  if (first === undefined || values === undefined) return addressProblem(url)
  for (const value of values.slice(0, VALUES_MAX)) {
    const problem = addressProblem(`${value}${url.slice(first.length)}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function addressProblem(url: string): string | undefined {
  if (url === '') return 'it is empty'
  if (/[\s\p{Cc}\\<>"]/u.test(url)) return 'it contains a character that is not allowed in a URL'
  if (url.startsWith('//')) return 'it does not start with `https:`'
  const [, scheme] = SCHEME.exec(url) ?? []
  if (scheme !== undefined && !/^(?:https?|wss?)$/i.test(scheme)) {
    return `\`${scheme}:\` is not a valid URL scheme for an API`
  }
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(url)) return 'it contains a user name or a password'
  if (scheme === undefined && !/^[/{.]/.test(url)) {
    return 'it starts with neither `https:` nor a slash'
  }
  return undefined
}
