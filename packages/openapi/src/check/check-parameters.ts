import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import type { Problems } from './problems.ts'

/** The parameters of an operation and those of its path, against each other and the path's template. */
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
  for (const name of inPath) {
    if (declared.has(name)) continue
    problems.add('openapi/path-parameter', node, {
      message: `\`${method} ${path}\` does not describe its parameter \`${name}\`.`,
      hint: `Add a parameter with \`in: path\` and \`name: ${name}\`.`,
    })
  }
  for (const [name, parameter] of declared) {
    if (inPath.has(name)) continue
    problems.add('openapi/path-parameter', parameter, {
      message: `The path \`${path}\` has no \`{${name}}\`, which \`${method}\` describes as a part of it.`,
      hint: 'Add it to the path, or correct its name or `in`.',
    })
  }
}

function reportTwice(problems: Problems, node: NodeId, name: string, place: string): void {
  problems.add('openapi/repeated-entry', node, {
    message: `The ${place} parameter \`${name}\` stands twice in one list.`,
    hint: 'Remove one of the two.',
  })
}
