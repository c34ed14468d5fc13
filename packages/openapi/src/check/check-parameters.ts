import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { listNames, type Problems } from './problems.ts'

/**
 * Checks the parameters of an operation and its path: against each other, and against the path
 * template.
 */
export function checkParameters(
  specification: Specification,
  operation: Operation,
  problems: Problems,
): void {
  const { document } = specification
  const declared = new Map<string, NodeId>()
  for (const owner of [operation.pathItem, operation.node]) {
    const seen = new Set<string>()
    for (const written of document.items(document.field(owner, 'parameters'))) {
      const parameter = specification.follow(written)
      const name = document.textField(parameter, 'name')
      const place = document.textField(parameter, 'in')
      if (parameter === undefined || name === undefined || place === undefined) continue
      if (seen.has(`${place} ${name}`)) reportTwice(problems, written, name, place)
      seen.add(`${place} ${name}`)
      if (place === 'path') declared.set(name, written)
    }
  }
  if (operation.kind === 'operation') checkTemplate(operation, declared, problems)
}

function checkTemplate(
  operation: Operation,
  declared: ReadonlyMap<string, NodeId>,
  problems: Problems,
): void {
  const { method, path, node } = operation
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))
  const undescribed = [...inPath].filter((name) => !declared.has(name))
  const surplus = [...declared].filter(([name]) => !inPath.has(name))
  const [wanted = ''] = undescribed
  const [[name, parameter] = ['', node]] = surplus
  if (undescribed.length === 1 && surplus.length === 1) {
    problems.add('openapi/path-parameter', parameter, {
      message: `\`${method} ${path}\` defines the parameter \`${name}\`, but the path contains \`${wanted}\` instead.`,
      hint: `Did you mean \`name: ${wanted}\`?`,
    })
    return
  }
  for (const missing of undescribed) {
    problems.add('openapi/path-parameter', node - 1, {
      message: `\`${method} ${path}\` does not describe its path parameter \`${missing}\`.`,
      hint: `Add a parameter with \`in: path\` and \`name: ${missing}\`.`,
    })
  }
  if (surplus.length === 0) return
  const isOne = surplus.length === 1
  const names = listNames(surplus.map(([of]) => `{${of}}`))
  problems.add('openapi/path-parameter', parameter, {
    message: `The path \`${path}\` does not contain ${names}, which \`${method}\` describes as ${isOne ? 'a path parameter' : 'path parameters'}.`,
    hint:
      inPath.size === 0
        ? `Write \`in: query\` if ${isOne ? 'it is' : 'they are'} in the query string, or add ${isOne ? 'it' : 'them'} to the path.`
        : `Add ${isOne ? 'it' : 'them'} to the path, or correct the name or \`in\`.`,
  })
}

function reportTwice(problems: Problems, node: NodeId, name: string, place: string): void {
  problems.add('openapi/repeated-entry', node, {
    message: `The ${place} parameter \`${name}\` appears twice in one list.`,
    hint: 'Remove one of the two.',
  })
}
