import type { Fix, SourceText } from '@octavo/model'
import type { Expression } from 'estree-jsx'
import type { MdastNode } from 'satteri'
import { evaluate } from '../interpreter/evaluate.ts'
import { BROWSER_NAMES } from '../interpreter/globals.ts'
import { parseExpression } from '../interpreter/parse-code.ts'
import { EvaluationProblem, type Unit } from '../interpreter/problem.ts'
import type { Context } from '../interpreter/run.ts'
import { toNodes } from '../interpreter/to-nodes.ts'
import type { Value } from '../interpreter/value.ts'
import { spotOf } from '../modules/markdown-file.ts'
import type { PageState, Spot } from '../page-state.ts'
import { staticText } from '../render/render-authored.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { expressionUnit } from './code-places.ts'
import { inPageFrame, pageIsland } from './page-island.ts'
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
  const outcome = evaluateText(
    reading,
    {
      text: written,
      unit,
      spot,
      otherwise: 'shown as written',
      canEscape: reading.props === undefined,
      isInLink: reading.isInLink,
    },
    (context, value, syntax) => toNodes(context, value, syntax),
  )
  if (outcome.kind === 'failed') return [`{${written}}`]
  if (outcome.kind === 'value') return outcome.value
  return pageIsland(reading, {
    name: '',
    kind: 'component',
    isInline: true,
    spot,
    code: written,
    shown: outcome.value ?? staticText(outcome.syntax),
    children: [],
  })
}

/** Checks whether code consists only of comments, possibly in double braces. */
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
  /** True for code in the page itself. In a snippet, another page may define the name. */
  readonly canEscape?: boolean
  readonly isInLink?: boolean
}

export type Outcome<Result> =
  | { readonly kind: 'value'; readonly value: Result }
  /** The value is only known in a browser. `value` is the initial value, if there is one. */
  | {
      readonly kind: 'needs-browser'
      readonly value: Result | undefined
      readonly syntax: Expression
    }
  | typeof FAILED

const FAILED = { kind: 'failed' } as const

/** Evaluates code and converts its value with `use`. Reports a problem if there is one. */
export function evaluateText<Result>(
  reading: Reading,
  code: Code,
  use: (context: Context, value: Value, syntax: Expression) => Result,
): Outcome<Result> {
  const parsed = parseExpression(code.text)
  if (parsed.kind === 'malformed') {
    reading.page.report('content/expression', code.spot, {
      message: `\`{${shorten(code.text)}}\` is not a valid expression: ${parsed.message}.`,
      hint: 'Fix the expression, or write `\\{` to show a literal brace.',
    })
    return FAILED
  }
  const { syntax } = parsed
  const context: Context = { run: reading.page.run, scope: reading.scope, unit: code.unit }
  if (syntax.type === 'Identifier' && isPlaceholder(reading, syntax.name, code)) {
    const problem = new EvaluationProblem('undefined-name', `\`${syntax.name}\` is not defined`, {
      unit: code.unit,
      offset: 0,
    })
    reportProblem(reading.page, problem, code)
    return FAILED
  }
  const { value, needsBrowser } = inPageFrame(reading, code.spot, () =>
    use(context, evaluate(context, syntax), syntax),
  )
  const isProblem = value instanceof EvaluationProblem
  if (!isProblem)
    return needsBrowser ? { kind: 'needs-browser', value, syntax } : { kind: 'value', value }
  if (needsBrowser && !isBrowserMember(reading, code))
    return { kind: 'needs-browser', value: undefined, syntax }
  reportProblem(reading.page, value, code)
  return FAILED
}

/**
 * Checks whether a bare name is an unescaped placeholder: the author did not define it, even if
 * browsers do, or it is a built-in name that cannot be shown as text, such as `{String}`.
 */
function isPlaceholder({ scope }: Reading, name: string, { otherwise }: Code): boolean {
  const found = scope.find(name)
  if (found === undefined) return true
  const isOurs = found.parent === undefined
  return isOurs && otherwise === 'shown as written' && typeof found.get(name) === 'object'
}

/**
 * Checks whether text such as `{location.id}` is probably a placeholder and not a browser global.
 */
function isBrowserMember({ scope }: Reading, { otherwise, text }: Code): boolean {
  if (otherwise !== 'shown as written' || !PLACEHOLDER.test(text)) return false
  const [root = ''] = text.trim().split('.')
  return scope.find(root) === undefined && BROWSER_NAMES.has(root) && !BROWSER_ROOTS.has(root)
}

/** Browser globals that authors do not use as placeholders. */
const BROWSER_ROOTS: ReadonlySet<string> = new Set(
  'window document navigator globalThis'.split(' '),
)

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
        hint: 'Simplify the computation, or write the result directly.',
      })
      return
    case 'browser':
      page.report('content/needs-browser', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint: PLACEHOLDER.test(code.text)
          ? 'If this is a placeholder, put it in backticks or write `\\{`. Otherwise, write `window.` before it.'
          : 'Move the expression into a component in a `.jsx` file, and import that component.',
      })
      return
    case 'unsupported':
      page.report('content/expression', spot, {
        message: `${shown} is ${code.otherwise}: ${problem.message}.`,
        hint:
          problem.hint ??
          'Use plain data, template literals, conditions, `.map` and similar expressions; Octavo does not run other code.',
      })
  }
}

/**
 * Matches code that consists of names only, as in `{user.id}` and `{{ id }}`. Readers understand
 * such code as a placeholder.
 */
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
    const hint = `The export on line ${indented} is indented, so it is treated as text. Start it in the first column.`
    page.report('content/undefined-name', spot, { message, hint })
    return
  }
  const isPlaceholder = otherwise === 'shown as written' && PLACEHOLDER.test(text)
  const placeholder = code.isInLink === true ? 'content/placeholder-in-link' : 'content/placeholder'
  page.report(isPlaceholder ? placeholder : 'content/undefined-name', spot, {
    message,
    fix: isPlaceholder && code.canEscape === true ? escapeBraces(code.spot, spot) : undefined,
    hint: `If this is a placeholder, put it in backticks or write \`${text.trimStart().startsWith('{') ? '\\{\\{' : '\\{'}\`. Otherwise, import or export the name.`,
  })
}

/**
 * Returns the fix that escapes the braces, so that readers see the same text even if the name is
 * defined later.
 */
function escapeBraces({ source, offset }: Spot, place: Spot): Fix | undefined {
  const braces = /^\{\s*\{/.exec(source.text.slice(offset, offset + 20))?.[0] ?? '{'
  const distance = offset - place.offset
  return { find: braces, put: braces.replaceAll('{', '\\{'), distance }
}

/**
 * Returns the line of an indented `export` of the missing name. Because of the indentation, the
 * parser does not read it as a statement.
 */
function findIndentedExport(source: SourceText, message: string): number | undefined {
  const [, name] = /^`([\w$]+)` is not defined$/.exec(message) ?? []
  if (name === undefined) return undefined
  const found = source.text.matchAll(/^[ \t]+export\s+(?:const|let|var|function)\s+([\w$]+)/gm)
  const { index } = [...found].find(([, exported]) => exported === name) ?? {}
  return index === undefined ? undefined : source.position(index).line
}

/** Returns the place of the problem, or the start of the expression if it has only one line. */
function problemSpot(problem: EvaluationProblem, { unit, text, spot }: Code): Spot {
  if (problem.unit === undefined) return spot
  if (problem.unit === unit && !text.trim().includes('\n')) return spot
  // The exact place where a limit is exceeded is arbitrary, so the start of the expression is used.
  if (problem.kind === 'limit' && problem.unit.source === spot.source) return spot
  const { source, base, toOffset } = problem.unit
  return { source, offset: toOffset(base + problem.offset) }
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 57)}...` : line
}
