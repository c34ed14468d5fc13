import type { SourceText } from '@octavo/model'
import type { Expression } from 'estree-jsx'
import type { MdastNode } from 'satteri'
import { evaluate } from '../interpreter/evaluate.ts'
import { parseExpression } from '../interpreter/parse-code.ts'
import { EvaluationProblem, type Unit } from '../interpreter/problem.ts'
import type { Context } from '../interpreter/run.ts'
import { toNodes } from '../interpreter/to-nodes.ts'
import type { Value } from '../interpreter/value.ts'
import { spotOf } from '../modules/markdown-file.ts'
import type { PageState, Spot } from '../page-state.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { expressionUnit } from './code-places.ts'
import type { Reading } from './reading.ts'

type ExpressionNode = Extract<MdastNode, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>

const VARIABLE = /^\{\s*([\w.-]+)\s*\}$/

/** Compiles `{…}` to its value, or to its source if it cannot be evaluated. */
export function compileExpression(reading: Reading, node: ExpressionNode): readonly PageNode[] {
  const written = node.value
  if (isComment(written)) return []
  const variable = VARIABLE.exec(written.trim())?.[1]
  const { variables = {} } = reading
  if (variable !== undefined && Object.hasOwn(variables, variable)) {
    return [variables[variable] ?? '']
  }
  const unit = expressionUnit(reading, written, (node.position?.start.offset ?? 0) + 1)
  const spot = spotOf(reading.file, node)
  const nodes = evaluateText(
    reading,
    { text: written, unit, spot, otherwise: 'shown as written' },
    (context, value, syntax) => toNodes(context, value, syntax),
  )
  return nodes ?? [`{${written}}`]
}

/** True for a text of comments only, also in double braces. */
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

/** Code with its place, and the fallback if it cannot be evaluated. */
type Code = {
  readonly text: string
  readonly unit: Unit
  readonly spot: Spot
  readonly otherwise: 'shown as written' | 'omitted'
}

/** Evaluates code and converts its value; reports a problem and returns undefined. */
export function evaluateText<Result>(
  reading: Reading,
  code: Code,
  use: (context: Context, value: Value, syntax: Expression) => Result,
): Result | undefined {
  const parsed = parseExpression(code.text)
  if (parsed.kind === 'malformed') {
    reading.page.report('content/expression', code.spot, {
      message: `\`{${shorten(code.text)}}\` is not a valid expression: ${parsed.message}.`,
      hint: 'Fix it, or write `\\{` to show a literal brace.',
    })
    return undefined
  }
  const context: Context = { run: reading.page.run, scope: reading.scope, unit: code.unit }
  if (parsed.syntax.type === 'Identifier' && isPlaceholder(reading, parsed.syntax.name, code)) {
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

/**
 * True for a bare name that the author did not define: an unescaped placeholder, even if browsers
 * define such a name. Also true for a built-in name that cannot be shown as text: `{String}`.
 */
function isPlaceholder({ scope }: Reading, name: string, { otherwise }: Code): boolean {
  const found = scope.find(name)
  if (found === undefined) return true
  const isOurs = found.parent === undefined
  return isOurs && otherwise === 'shown as written' && typeof found.get(name) === 'object'
}

/** Reports why an expression is shown as written. */
export function reportProblem(page: PageState, problem: EvaluationProblem, code: Code): void {
  const spot = problemSpot(problem, code)
  const shown = code.text.startsWith('<') ? `\`${code.text}\`` : `\`{${shorten(code.text)}}\``
  switch (problem.kind) {
    case 'undefined-name':
      reportUndefined(page, { problem, code, spot, shown })
      return
    case 'limit':
    case 'page':
      page.report('content/limit', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: 'Compute less on the page, or write the result directly.',
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
        hint:
          problem.hint ??
          'Use plain data, template literals, conditions, `.map` and similar; Octavo does not run code.',
      })
  }
}

/** Only names, as in `{user.id}` and `{{ id }}`: readers understand these as placeholders. */
const PLACEHOLDER =
  /^\s*(?:[\p{L}\p{N}_$]+(?:\s*[.,]\s*[\p{L}\p{N}_$]+)*|\{\s*[\p{L}\p{N}_$.]+\s*\})\s*$/u

function reportUndefined(
  page: PageState,
  {
    problem,
    code,
    spot,
    shown,
  }: {
    readonly problem: EvaluationProblem
    readonly code: Code
    readonly spot: Spot
    readonly shown: string
  },
): void {
  const { otherwise, text } = code
  const message = `${shown} is ${otherwise}: ${problem.message}.`
  if (spot.source !== code.spot.source) {
    const hint = 'Import or define the name in this file.'
    page.report('content/undefined-name', spot, { message, hint })
    return
  }
  const indented = findIndentedExport(spot.source, problem.message)
  if (indented !== undefined) {
    const hint = `The export on line ${indented} is indented, which makes it text. Start it in the first column.`
    page.report('content/undefined-name', spot, { message, hint })
    return
  }
  const isPlaceholder = otherwise === 'shown as written' && PLACEHOLDER.test(text)
  page.report(isPlaceholder ? 'content/placeholder' : 'content/undefined-name', spot, {
    message,
    hint: `Put it in backticks or write \`${text.trimStart().startsWith('{') ? '\\{\\{' : '\\{'}\` if it is a placeholder; import or export the name if not.`,
  })
}

/** Returns the line of an indented export of the missing name. */
function findIndentedExport(source: SourceText, message: string): number | undefined {
  const [, name] = /^`([\w$]+)` is not defined$/.exec(message) ?? []
  if (name === undefined) return undefined
  const found = source.text.matchAll(/^[ \t]+export\s+(?:const|let|var|function)\s+([\w$]+)/gm)
  const { index } = [...found].find(([, exported]) => exported === name) ?? {}
  return index === undefined ? undefined : source.position(index).line
}

/** Returns the place of the problem, or of the expression if it is a single line. */
function problemSpot(problem: EvaluationProblem, { unit, text, spot }: Code): Spot {
  if (problem.unit === undefined) return spot
  if (problem.unit === unit && !text.trim().includes('\n')) return spot
  // The place where a limit is hit is arbitrary, so the expression on the page is reported.
  if (problem.kind === 'limit' && problem.unit.source === spot.source) return spot
  const { source, base, toOffset } = problem.unit
  return { source, offset: toOffset(base + problem.offset) }
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
