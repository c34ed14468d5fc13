import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { ruleAt } from './describe-problems.ts'
import type { MockProblem } from './mock-messages.ts'
import type { ParameterSource } from './read-parameter.ts'

/**
 * Checks that the request has the credentials of one way to authenticate. Any credential is right:
 * a mock knows no keys.
 */
export function checkCredentials(
  specification: Specification,
  operation: Operation,
  source: ParameterSource,
): readonly MockProblem[] {
  const { document } = specification
  const alternatives = document.items(securityOf(specification, operation)).map((requirement) =>
    document.entries(requirement).flatMap(([name]) => {
      const problem = checkScheme(specification, name, source)
      return problem === undefined ? [] : [problem]
    }),
  )
  if (alternatives.some((problems) => problems.length === 0)) return []
  const [fewest] = alternatives.toSorted((a, b) => a.length - b.length)
  return fewest ?? []
}

/** Returns the names in the query that are API keys, even of schemes that other operations use. */
export function keysInQuery(specification: Specification): readonly string[] {
  const { document } = specification
  return document.entries(schemesOf(specification)).flatMap(([, written]) => {
    const scheme = specification.follow(written)
    const isQuery = document.textField(scheme, 'in') === 'query'
    return isQuery ? [document.textField(scheme, 'name') ?? ''] : []
  })
}

function securityOf({ document }: Specification, { node }: Operation): NodeId | undefined {
  return document.field(node, 'security') ?? document.field(document.root, 'security')
}

function schemesOf({ document }: Specification): NodeId | undefined {
  return document.field(document.field(document.root, 'components'), 'securitySchemes')
}

function checkScheme(
  specification: Specification,
  name: string,
  source: ParameterSource,
): MockProblem | undefined {
  const { document } = specification
  const scheme = specification.follow(document.field(schemesOf(specification), name))
  if (scheme === undefined) return undefined
  const rule = ruleAt(document, scheme)
  const type = document.textField(scheme, 'type')
  // A connection without TLS has no certificate of the client.
  if (type === 'mutualTLS') return undefined
  if (type === 'apiKey') {
    const key = document.textField(scheme, 'name') ?? ''
    const place = document.textField(scheme, 'in') ?? 'header'
    if (hasKey(place, key, source)) return undefined
    return missing(name, { place: `${place}.${key}`, hint: `Send any value as \`${key}\`.`, rule })
  }
  const kind = type === 'http' ? (document.textField(scheme, 'scheme') ?? 'bearer') : 'bearer'
  const isHere = new RegExp(`^${kind.replaceAll(/[^\w-]/g, '.')} +\\S`, 'i')
  if (isHere.test(source.headers.get('authorization') ?? '')) return undefined
  const shown = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  const hint = `Send the header \`Authorization: ${shown} <any value>\`.`
  return missing(name, { place: 'header.Authorization', hint, rule })
}

function hasKey(place: string, key: string, source: ParameterSource): boolean {
  if (place === 'query')
    return source.query.some(({ name, written }) => name === key && written !== '')
  const values = place === 'cookie' ? source.cookies : source.headers
  return (values.get(place === 'cookie' ? key : key.toLowerCase()) ?? '') !== ''
}

function missing(
  scheme: string,
  { place, hint, rule }: { readonly place: string; readonly hint: string; readonly rule: string },
): MockProblem {
  const reason = `The request has no credential for \`${scheme}\`, which the operation requires.`
  return { code: 'missing-credential', place, reason, hint, rule }
}
