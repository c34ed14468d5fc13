import { formatCount, parseJson } from '@octavo/model'
import { isJsonType } from '../document/json-type.ts'
import { readJson } from '../document/read-json.ts'
import { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { decodeQueryPart } from './decode-part.ts'
import { describeProblems, ruleAt } from './describe-problems.ts'
import { bestMatch, plainType } from './media-ranges.ts'
import { MOCK_LIMITS } from './mock-limits.ts'
import type { MockProblem, MockRequest } from './mock-messages.ts'
import { parseQuery } from './query-pairs.ts'
import { readBrackets } from './read-brackets.ts'
import {
  checkTextValue,
  checkValue,
  jsonReading,
  type TextValue,
  textValue,
} from './text-values.ts'

const NAMED = { code: 'invalid-body', place: 'body' } as const
const FORM = 'application/x-www-form-urlencoded'

/** Checks the body of a request against the media type that it has. */
export function checkRequestBody(
  specification: Specification,
  operation: Operation,
  request: MockRequest,
): readonly MockProblem[] {
  const { document } = specification
  const written = document.field(operation.node, 'requestBody')
  const body = specification.follow(written)
  if (request.body.length === 0) return checkMissing(specification, body)
  const rule = body === undefined ? undefined : ruleAt(document, body)
  if (body === undefined) {
    // A broken reference is the fault of the specification.
    if (written !== undefined) return []
    return [
      {
        code: 'unexpected-body',
        place: 'body',
        reason: 'The request has a body, but the operation does not describe one.',
        hint: 'Send the request without a body, or add `requestBody` to the operation.',
      },
    ]
  }
  const media = document.entries(document.field(body, 'content'))
  const type = plainType(request.headers.get('content-type') ?? '')
  const name = bestMatch(
    type,
    media.map(([one]) => one),
  )
  if (name === undefined && media.length > 0) {
    const problem = unsupported(
      type,
      media.map(([one]) => one),
    )
    return [rule === undefined ? problem : { ...problem, rule }]
  }
  const node = media.find(([one]) => one === name)?.[1]
  const schema = document.field(node, 'schema')
  return checkContent(specification, { type, schema }, request)
}

function checkMissing(
  { document }: Specification,
  body: NodeId | undefined,
): readonly MockProblem[] {
  if (body === undefined || !document.isTrue(body, 'required')) return []
  const types = document.entries(document.field(body, 'content')).map(([type]) => type)
  return [
    {
      code: 'missing-body',
      place: 'body',
      reason: 'The request has no body, but the operation requires one.',
      hint: `Send a body of the type ${list(types)}.`,
      rule: ruleAt(document, body),
    },
  ]
}

function unsupported(type: string, types: readonly string[]): MockProblem {
  return {
    code: 'unsupported-media-type',
    place: 'header.Content-Type',
    reason:
      type === ''
        ? 'The request has a body without `Content-Type`.'
        : `The operation does not accept a body of the type \`${type}\`.`,
    hint: `Send the header \`Content-Type\` with ${list(types)}.`,
  }
}

function list(types: readonly string[]): string {
  return types.map((type) => `\`${type}\``).join(' or ')
}

type Content = { readonly type: string; readonly schema: NodeId | undefined }

function checkContent(
  specification: Specification,
  { type, schema }: Content,
  request: MockRequest,
): readonly MockProblem[] {
  if (isJsonType(type)) return checkJson(specification, schema, textOf(request))
  if (type.startsWith('multipart/')) {
    if (request.form === undefined) {
      return type === 'multipart/form-data' ? [malformed('is not a valid multipart form')] : []
    }
    const pairs = request.form.map(([name, text]) => [name, fieldValue(text)] as const)
    return checkForm(specification, schema, pairs)
  }
  if (type === FORM) {
    const pairs = parseQuery(textOf(request)).map(
      ({ name, written }) => [name, fieldValue(decodeQueryPart(written))] as const,
    )
    return checkForm(specification, schema, pairs)
  }
  if (!type.startsWith('text/plain') || schema === undefined) return []
  const checked = checkTextValue(specification, schema, textValue(textOf(request)))
  return describeProblems(specification, checked, NAMED)
}

/** Returns the value of a form field. The rules for text do not apply to a file. */
function fieldValue(text: string | undefined): TextValue {
  // A text in double braces is a placeholder, whose length and pattern are not checked.
  return text === undefined ? textValue('{{file}}') : textValue(text, jsonReading(text))
}

function checkForm(
  specification: Specification,
  schema: NodeId | undefined,
  pairs: readonly (readonly [name: string, value: TextValue])[],
): readonly MockProblem[] {
  if (pairs.length > MOCK_LIMITS.formFieldsMax) {
    return [malformed(`has more than ${formatCount(MOCK_LIMITS.formFieldsMax)} fields`)]
  }
  if (schema === undefined) return []
  const value: TextValue = { kind: 'object', fields: readBrackets(pairs) }
  return describeProblems(specification, checkTextValue(specification, schema, value), NAMED)
}

function checkJson(
  specification: Specification,
  schema: NodeId | undefined,
  text: string,
): readonly MockProblem[] {
  const json = readJson(text, MOCK_LIMITS)
  if (json.kind === 'malformed') return [malformedJson(text)]
  if (json.kind !== 'read') return [malformed('is nested too deeply or has too many values')]
  if (schema === undefined) return []
  const document = new SpecDocument({ file: '', text, tape: json.tape })
  const mismatches = checkValue(specification, { document, schema })
  return describeProblems(specification, { document, mismatches }, NAMED)
}

class FirstMistake extends Error {
  readonly problem: MockProblem

  constructor(problem: MockProblem) {
    super(problem.reason)
    this.problem = problem
  }
}

/** Describes the first mistake, which the lenient parser finds. */
function malformedJson(text: string): MockProblem {
  try {
    parseJson('body', text, ({ message, hint, place, code }) => {
      if (code === 'json/duplicate-key') return
      const [advice = hint] = hint.split(/(?<=\.) /)
      const reason = `The body is not valid JSON at line ${place.line}, column ${place.column}: ${message}`
      throw new FirstMistake({ ...malformed(''), reason, hint: advice })
    })
  } catch (error) {
    if (error instanceof FirstMistake) return error.problem
    throw error
  }
  return malformed('is not valid JSON')
}

function malformed(reason: string): MockProblem {
  return {
    code: 'malformed-body',
    place: 'body',
    reason: `The body ${reason}.`,
    hint: 'Send a body that matches its `Content-Type`.',
  }
}

function textOf({ body }: MockRequest): string {
  return new TextDecoder().decode(body)
}
