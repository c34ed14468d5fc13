import { Parser } from 'acorn'
import jsx from 'acorn-jsx'
import type { Expression, Program } from 'estree-jsx'

const JsxParser = Parser.extend(jsx())
const OPTIONS = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowReturnOutsideFunction: false,
} as const

export type ParsedCode<Syntax> =
  | { readonly kind: 'parsed'; readonly syntax: Syntax }
  | { readonly kind: 'malformed'; readonly message: string; readonly offset: number }

/** Parses exactly one expression. The text is wrapped in parentheses, so offsets start at 1. */
export function parseExpression(text: string): ParsedCode<Expression> {
  return guard(() => {
    // The line break ends a line comment at the end of the text.
    const { body } = JsxParser.parse(`(${text}\n)`, OPTIONS) as unknown as Program
    const [statement] = body
    if (body.length !== 1 || statement?.type !== 'ExpressionStatement')
      throw new SyntaxError('Unexpected text')
    return statement.expression
  })
}

/** Parses a whole module: imports, exports, functions. */
export function parseModule(text: string): ParsedCode<Program> {
  return guard(() => JsxParser.parse(text, OPTIONS) as unknown as Program)
}

function guard<Syntax>(parse: () => Syntax): ParsedCode<Syntax> {
  try {
    return { kind: 'parsed', syntax: parse() }
  } catch (error) {
    const message =
      error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : String(error)
    const offset =
      error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number'
        ? error.pos
        : 0
    return { kind: 'malformed', message, offset }
  }
}
