import type { Expression } from 'estree-jsx'
import type { MdastNode } from 'satteri'
import { evaluate } from './interpreter/evaluate.ts'
import { parseExpression } from './interpreter/parse-code.ts'
import { EvaluationProblem, type Unit } from './interpreter/problem.ts'
import type { Context } from './interpreter/run.ts'
import { toNodes } from './interpreter/to-nodes.ts'
import type { Value } from './interpreter/value.ts'
import { spotOf } from './markdown-file.ts'
import type { PageState, Spot } from './page-state.ts'
import type { PageNode } from './page-tree.ts'
import { type Reading, unitAt } from './reading.ts'

type ExpressionNode = Extract<MdastNode, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>

const VARIABLE = /^\{\s*([\w.-]+)\s*\}$/

/** `{…}` in the text: what it evaluates to, or its source when it cannot be evaluated. */
export function compileExpression(reading: Reading, node: ExpressionNode): readonly PageNode[] {
  const written = node.value
  if (isComment(written)) return []
  const variable = VARIABLE.exec(written.trim())?.[1]
  const { variables = {} } = reading
  if (variable !== undefined && Object.hasOwn(variables, variable)) {
    return [variables[variable] ?? '']
  }
  const start = node.position?.start.offset ?? 0
  const unit = unitAt(reading, start)
  const spot = spotOf(reading.file, node)
  const nodes = evaluateText(
    reading,
    { text: written, unit, spot, otherwise: 'shown as written' },
    (context, value, syntax) => toNodes(context, value, syntax),
  )
  return nodes ?? [`{${written}}`]
}

/** True for comments and nothing else, also when they were put in braces twice. */
function isComment(written: string): boolean {
  let text = written.trim()
  if (text.startsWith('{') && text.endsWith('}') && text.includes('/*'))
    text = text.slice(1, -1).trim()
  while (text !== '') {
    const isLong = text.startsWith('/*')
    if (!isLong && !text.startsWith('//')) return false
    const end = text.indexOf(isLong ? '*/' : '\n', 2)
    text = end < 0 ? '' : text.slice(end + (isLong ? 2 : 1)).trimStart()
  }
  return true
}

/** Code, its place, and what becomes of it if it cannot be evaluated. */
type Code = {
  readonly text: string
  readonly unit: Unit
  readonly spot: Spot
  readonly otherwise: 'shown as written' | 'left out'
}

/** Evaluates code and turns its value into something; reports what went wrong and returns nothing. */
export function evaluateText<Result>(
  reading: Reading,
  code: Code,
  use: (context: Context, value: Value, syntax: Expression) => Result,
): Result | undefined {
  const parsed = parseExpression(code.text)
  if (parsed.kind === 'malformed') {
    reading.page.report('content/expression', code.spot, {
      message: `\`{${shorten(code.text)}}\` cannot be read: ${parsed.message}.`,
      hint: 'Correct it, or write `\\{` to show the sign itself.',
    })
    return undefined
  }
  const context: Context = { run: reading.page.run, scope: reading.scope, unit: code.unit }
  // A name alone is a placeholder that was not escaped, even if browsers know such a name.
  if (parsed.syntax.type === 'Identifier' && reading.scope.find(parsed.syntax.name) === undefined) {
    const problem = new EvaluationProblem(
      'undefined-name',
      `\`${parsed.syntax.name}\` is not defined`,
      { unit: code.unit, offset: 0 },
    )
    reportProblem(reading.page, problem, code)
    return undefined
  }
  const result = reading.page.run.attempt(() =>
    use(context, evaluate(context, parsed.syntax), parsed.syntax),
  )
  if (!(result instanceof EvaluationProblem)) return result
  if (result.kind === 'page') throw result
  reportProblem(reading.page, result, code)
  return undefined
}

/** Tells the author why an expression is shown as it was written. */
export function reportProblem(page: PageState, problem: EvaluationProblem, code: Code): void {
  const spot = problemSpot(problem, code.spot)
  const shown = code.text.startsWith('<') ? `\`${code.text}\`` : `\`{${shorten(code.text)}}\``
  switch (problem.kind) {
    case 'undefined-name':
      page.report('content/undefined-name', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: 'Put it in backticks or write `\\{` if it is a placeholder; import or export the name if not.',
      })
      return
    case 'limit':
    case 'page':
      page.report('content/limit', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: 'Compute less on the page; put finished data into it.',
      })
      return
    case 'browser':
      page.report('content/needs-browser', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: 'Move it into a component in a `.jsx` file and import it.',
      })
      return
    case 'unsupported':
      page.report('content/expression', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: 'Use plain data, templates, conditions, `.map` and the like; pages never run code.',
      })
  }
}

/** The place inside an imported module if the problem is there, else the expression on the page. */
function problemSpot(problem: EvaluationProblem, fallback: Spot): Spot {
  const { unit } = problem
  if (unit === undefined) return fallback
  if (unit.source === fallback.source) return fallback
  return { source: unit.source, offset: unit.toOffset(unit.base + problem.offset) }
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
