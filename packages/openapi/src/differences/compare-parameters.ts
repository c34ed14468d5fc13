import type { Operation } from '../operations/list-operations.ts'
import { type OperationParameter, operationParameters } from '../operations/operation-parameters.ts'
import type { Specification } from '../specification.ts'
import type { Subject } from './api-change.ts'
import type { ChangeRule } from './change-rules.ts'
import { compareContent, compareExamples, type OperationComparison } from './compare-content.ts'

/** Compares the parameters of an operation and its path. */
export function compareParameters(comparison: OperationComparison): void {
  const { versions, old, new: added, report, subject } = comparison
  const before = parametersOf(versions.old, old)
  const after = parametersOf(versions.new, added)
  for (const [key, parameter] of before) {
    const other = after.get(key)
    const own = subject(nameOf(parameter))
    if (other !== undefined) {
      compareParameter(comparison, parameter, other, subject(nameOf(other)))
      continue
    }
    const wasDeprecated = versions.old.document.isTrue(parameter.node, 'deprecated')
    const rule = wasDeprecated ? 'deprecated-removed' : 'parameter-removed'
    report({ rule, subject: own, text: 'was removed.', node: parameter.node, side: 'old' })
  }
  for (const [key, parameter] of after) {
    if (before.has(key)) continue
    const { node } = parameter
    const isRequired = versions.new.document.isTrue(node, 'required')
    const rule = isRequired ? 'parameter-added-required' : 'parameter-added'
    const text = isRequired ? 'is new and required.' : 'is new.'
    report({ rule, subject: subject(nameOf(parameter)), text, node, side: 'new' })
  }
}

function nameOf({ place, name }: OperationParameter): string {
  return `the ${place} parameter \`${name}\``
}

/**
 * Returns the parameters by place and name. Path parameters are identified by their position, since
 * their names do not matter to a client.
 */
function parametersOf(
  specification: Specification,
  operation: Operation,
): ReadonlyMap<string, OperationParameter> {
  const inPath = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const parameters = new Map<string, OperationParameter>()
  for (const parameter of operationParameters(specification, operation)) {
    const { name, place } = parameter
    const position = inPath.indexOf(name)
    const isPath = place === 'path' && position !== -1
    const id = place === 'header' ? name.toLowerCase() : name
    parameters.set(`${place} ${isPath ? position : id}`, parameter)
  }
  return parameters
}

function compareParameter(
  comparison: OperationComparison,
  old: OperationParameter,
  added: OperationParameter,
  subject: Subject,
): void {
  const { versions, schemas, report } = comparison
  const before = versions.old.document
  const after = versions.new.document
  const say = (rule: ChangeRule, text: string) =>
    report({ rule, subject, text, node: added.node, side: 'new' })
  const wasRequired = before.isTrue(old.node, 'required')
  const isRequired = after.isTrue(added.node, 'required')
  if (isRequired && !wasRequired) say('parameter-required', 'is now required.')
  if (wasRequired && !isRequired) say('parameter-optional', 'is no longer required.')
  if (styleOf(versions.old, old) !== styleOf(versions.new, added)) {
    say(
      'parameter-style',
      `is now written as ${styleOf(versions.new, added)}; it was ${styleOf(versions.old, old)}.`,
    )
  }
  if (old.name !== added.name) say('described', `was called \`${old.name}\`.`)
  if (before.textField(old.node, 'description') !== after.textField(added.node, 'description')) {
    say('described', 'has another `description`.')
  }
  const wasDeprecated = before.isTrue(old.node, 'deprecated')
  if (wasDeprecated !== after.isTrue(added.node, 'deprecated')) {
    say('deprecated', wasDeprecated ? 'is no longer deprecated.' : 'is now deprecated.')
  }
  const oldSchema = before.field(old.node, 'schema')
  const newSchema = after.field(added.node, 'schema')
  if (oldSchema !== undefined && newSchema !== undefined) schemas.add(oldSchema, newSchema, subject)
  else if (oldSchema === undefined && newSchema === undefined) {
    compareContent(comparison, { old: old.node, new: added.node }, subject)
  } else say('parameter-style', 'has another media type.')
  compareExamples(versions, { old: old.node, new: added.node }, subject, report)
}

/** Returns the style of a parameter, such as `form, exploded`. */
function styleOf({ document }: Specification, { node, place }: OperationParameter): string {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  const style = document.textField(node, 'style') ?? usual
  const explode = document.field(node, 'explode')
  const isExploded = explode === undefined ? style === 'form' : document.text(explode) === 'true'
  return `\`${style}\`${isExploded ? ', exploded' : ''}`
}
