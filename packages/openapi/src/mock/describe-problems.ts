import { formatPlace } from '@octavo/model'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Specification } from '../specification.ts'
import { MOCK_LIMITS } from './mock-limits.ts'
import type { MockProblem, MockProblemCode } from './mock-messages.ts'
import type { CheckedValue } from './text-values.ts'

type Named = {
  readonly code: MockProblemCode
  /** What was checked: `body`, or a parameter such as `query.limit`. */
  readonly place: string
}

/** Describes what is wrong with a value, each difference once. */
export function describeProblems(
  { document: schemas }: Specification,
  { document, mismatches }: CheckedValue,
  { code, place }: Named,
): readonly MockProblem[] {
  const seen = new Set<string>()
  const problems: MockProblem[] = []
  for (const { node, rule, text } of mismatches) {
    // Several parts of a schema can refuse the same value.
    const key = `${node} ${rule}`
    if (seen.has(key) || problems.length >= MOCK_LIMITS.problemsMax) continue
    seen.add(key)
    const { message, hint } = text()
    const at = placeOf(document, node, place)
    problems.push({
      code,
      place: at,
      reason: `\`${at}\` ${message}`,
      hint,
      rule: ruleAt(schemas, rule),
    })
  }
  return problems
}

function placeOf(document: SpecDocument, node: NodeId, place: string): string {
  const pointer = document.pointer(node)
  return pointer === '' ? place : `${place} ${pointer}`
}

/** Returns the file, line and column of a rule. */
export function ruleAt(document: SpecDocument, node: NodeId): string {
  const { file, line, column } = document.place(node)
  return formatPlace({ file, line, column })
}
