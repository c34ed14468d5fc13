/** Finds functions that are too long, including methods and closures, from the syntax tree. */
import { type ESTree, parseSync, Visitor } from 'vite'

const LINES_MAX = 70

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression

export function checkFunctions(path: string, text: string): readonly string[] {
  const lineOf = lineFinder(text)
  const names = new Map<number, string>()
  const violations: string[] = []
  const check = (node: FunctionNode) => {
    const lines = lineOf(node.end) - lineOf(node.start) + 1
    const own = node.type === 'ArrowFunctionExpression' ? undefined : node.id?.name
    const name = own ?? names.get(node.start) ?? 'a closure'
    if (lines > LINES_MAX)
      violations.push(`${name} has ${lines} lines; split it (limit ${LINES_MAX})`)
  }
  const nameValue = (key: ESTree.Node, value: ESTree.Node | null) => {
    if (value !== null && (key.type === 'Identifier' || key.type === 'PrivateIdentifier'))
      names.set(value.start, key.name)
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameValue(id, init),
    Property: ({ key, value }) => nameValue(key, value),
    PropertyDefinition: ({ key, value }) => nameValue(key, value),
    MethodDefinition: ({ key, value }) => nameValue(key, value),
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(parseSync(path, text).program)
  return violations
}

/** Returns a function that maps an offset to its line. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const after = starts.findIndex((start) => start > offset)
    return after < 0 ? starts.length : after
  }
}
