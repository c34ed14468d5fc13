import { SourceText } from '@octavo/model'
import { evaluate } from '../src/interpreter/evaluate.ts'
import { createGlobals } from '../src/interpreter/globals.ts'
import { parseExpression } from '../src/interpreter/parse-code.ts'
import { EvaluationProblem } from '../src/interpreter/problem.ts'
import { Run } from '../src/interpreter/run.ts'
import { Scope } from '../src/interpreter/scope.ts'
import type { Value } from '../src/interpreter/value.ts'

/** Returns the value of an expression on a page, or `kind: message` if it fails. */
export function evaluateText(text: string): Value {
  const parsed = parseExpression(text)
  if (parsed.kind === 'malformed') return `malformed: ${parsed.message}`
  const run = new Run(() => [])
  const source = new SourceText('page.mdx', text)
  const unit = { source, base: 0, toOffset: (offset: number) => offset }
  const scope = new Scope(createGlobals())
  const value = run.attempt(() => evaluate({ run, scope, unit }, parsed.syntax))
  return value instanceof EvaluationProblem ? `${value.kind}: ${value.message}` : value
}

/** Returns the result of a function with these statements. */
export function runText(statements: string): Value {
  return evaluateText(`(() => { ${statements} })()`)
}
