import { didYouMean } from '@octavo/model'
import type { Operation } from '../operations/list-operations.ts'
import type { OperationParameter } from '../operations/operation-parameters.ts'
import type { Specification } from '../specification.ts'
import { checkRequestBody } from './check-request-body.ts'
import { describeProblems, ruleAt } from './describe-problems.ts'
import type { MockProblem, MockRequest } from './mock-messages.ts'
import type { ParameterReader, ParameterSource } from './read-parameter.ts'
import { checkTextValue, type TextValue } from './text-values.ts'

/** Headers that OpenAPI describes elsewhere, so that a parameter with their name is ignored. */
const OTHER_HEADERS = new Set(['accept', 'authorization', 'content-type'])

export type CheckedRequest = {
  readonly specification: Specification
  readonly operation: Operation
  readonly parameters: readonly OperationParameter[]
  readonly request: MockRequest
  readonly source: ParameterSource
  /** Names in the query that are no parameters, such as API keys. */
  readonly otherNames: readonly string[]
}

/** Checks the parameters and the body of a request. */
export function checkRequest(
  reader: ParameterReader,
  { specification, operation, parameters, request, source, otherNames }: CheckedRequest,
): readonly MockProblem[] {
  const claimed = new Set(otherNames)
  const problems = parameters.flatMap((parameter) => {
    const { place, name } = parameter
    if (place === 'header' && OTHER_HEADERS.has(name.toLowerCase())) return []
    const { value, names } = reader.read(parameter, source)
    for (const one of names) claimed.add(one)
    return checkParameter(specification, parameter, value)
  })
  const unknown = new Set(source.query.map(({ name }) => name).filter((name) => !claimed.has(name)))
  return [
    ...problems,
    ...[...unknown].map((name) => unknownParameter(name, source.queryNames)),
    ...checkRequestBody(specification, operation, request),
  ]
}

function checkParameter(
  specification: Specification,
  { node, name, place }: OperationParameter,
  value: TextValue | undefined,
): readonly MockProblem[] {
  const { document } = specification
  const at = `${place}.${name}`
  if (value === undefined) {
    if (!document.isTrue(node, 'required')) return []
    const reason = `The request has no \`${at}\`, which the operation requires.`
    const hint = `Add the ${place} parameter \`${name}\`.`
    return [{ code: 'missing-parameter', place: at, reason, hint, rule: ruleAt(document, node) }]
  }
  const isEmpty = value.kind === 'text' && value.text === ''
  if (isEmpty && document.isTrue(node, 'allowEmptyValue')) return []
  const [first] = document.entries(document.field(node, 'content'))
  const schema = document.field(first?.[1] ?? node, 'schema')
  if (schema === undefined) return []
  const checked = checkTextValue(specification, schema, value)
  return describeProblems(specification, checked, { code: 'invalid-parameter', place: at })
}

function unknownParameter(name: string, known: ReadonlySet<string>): MockProblem {
  return {
    code: 'unknown-parameter',
    place: `query.${name}`,
    reason: `The operation has no query parameter \`${name}\`.`,
    hint: didYouMean(name, known, 'Remove it, or add it to `parameters`.'),
  }
}
