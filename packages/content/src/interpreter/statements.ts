import type {
  BlockStatement,
  ForInStatement,
  ForOfStatement,
  Statement,
  VariableDeclaration,
} from 'estree-jsx'
import { evaluate } from './evaluate.ts'
import { bind } from './patterns.ts'
import { EvaluationProblem } from './problem.ts'
import { type Context, fail } from './run.ts'
import { Scope } from './scope.ts'
import { Closure, isObject, type Value } from './value.ts'

/** The way a statement ended: normally, or by leaving the enclosing loop or function. */
type Completion =
  | undefined
  | { readonly kind: 'return'; readonly value: Value }
  | { readonly kind: 'break' | 'continue' }

/** Runs the body of a function and returns its value. */
export function runBlock(context: Context, block: BlockStatement): Value {
  const completion = runStatements(context, block.body)
  return completion?.kind === 'return' ? completion.value : undefined
}

/** Runs statements in order; function declarations are hoisted. */
export function runStatements(context: Context, statements: readonly Statement[]): Completion {
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' && statement.id !== null) {
      const { name } = statement.id
      context.scope.define(name, new Closure(statement, context.scope, context.unit, name))
    }
  }
  for (const statement of statements) {
    const completion = runStatement(context, statement)
    if (completion !== undefined) return completion
  }
  return undefined
}

function runStatement(context: Context, statement: Statement): Completion {
  context.run.enter(context, statement)
  const completion = runByType(context, statement)
  context.run.leave()
  return completion
}

function runByType(context: Context, statement: Statement): Completion {
  switch (statement.type) {
    case 'ReturnStatement': {
      const { argument } = statement
      const value =
        argument === null || argument === undefined ? undefined : evaluate(context, argument)
      return { kind: 'return', value }
    }
    case 'VariableDeclaration':
      declare(context, statement)
      return undefined
    case 'ExpressionStatement':
      evaluate(context, statement.expression)
      return undefined
    case 'IfStatement': {
      const branch = evaluate(context, statement.test) ? statement.consequent : statement.alternate
      return branch === null || branch === undefined ? undefined : runStatement(context, branch)
    }
    case 'BlockStatement':
      return runStatements(inner(context), statement.body)
    case 'ForOfStatement':
    case 'ForInStatement':
      return runForEach(context, statement)
    case 'ForStatement':
      return runFor(context, statement)
    case 'WhileStatement':
      return runWhile(context, statement)
    case 'SwitchStatement':
      return runSwitch(context, statement)
    case 'TryStatement':
      return runTry(context, statement)
    case 'BreakStatement':
      return { kind: 'break' }
    case 'ContinueStatement':
      return { kind: 'continue' }
    case 'FunctionDeclaration':
    case 'EmptyStatement':
      return undefined
    default:
      return fail('unsupported', `\`${statement.type}\` is not evaluated at build time`, {
        context,
        node: statement,
      })
  }
}

function inner(context: Context): Context {
  return { ...context, scope: new Scope(context.scope) }
}

/** Declares `const`, `let` and `var`. */
export function declare(context: Context, declaration: VariableDeclaration): void {
  for (const { id, init } of declaration.declarations) {
    bind(context, id, init === null || init === undefined ? undefined : evaluate(context, init))
  }
}

function runForEach(context: Context, statement: ForOfStatement | ForInStatement): Completion {
  const subject = evaluate(context, statement.right)
  const { left } = statement
  if (left.type !== 'VariableDeclaration')
    return fail('unsupported', 'A loop must declare its variable', { context, node: left })
  let items: readonly Value[] = Array.isArray(subject) ? subject : []
  if (statement.type === 'ForInStatement')
    items = isObject(subject) ? Object.keys(subject) : items.map((_, index) => String(index))
  else if (typeof subject === 'string') items = [...subject]
  for (const item of items) {
    const scope = inner(context)
    const [declarator] = left.declarations
    if (declarator !== undefined) bind(scope, declarator.id, item)
    const completion = runStatement(scope, statement.body)
    if (completion?.kind === 'break') break
    if (completion?.kind === 'return') return completion
  }
  return undefined
}

function runFor(context: Context, statement: Statement & { type: 'ForStatement' }): Completion {
  const scope = inner(context)
  const { init, test, update } = statement
  if (init?.type === 'VariableDeclaration') declare(scope, init)
  else if (init !== null && init !== undefined) evaluate(scope, init)
  // Each iteration counts steps, so even an endless loop ends.
  while (test === null || test === undefined || evaluate(scope, test)) {
    const completion = runStatement(scope, statement.body)
    if (completion?.kind === 'break') break
    if (completion?.kind === 'return') return completion
    if (update !== null && update !== undefined) evaluate(scope, update)
  }
  return undefined
}

function runWhile(context: Context, statement: Statement & { type: 'WhileStatement' }): Completion {
  while (evaluate(context, statement.test)) {
    const completion = runStatement(context, statement.body)
    if (completion?.kind === 'break') break
    if (completion?.kind === 'return') return completion
  }
  return undefined
}

function runSwitch(
  context: Context,
  statement: Statement & { type: 'SwitchStatement' },
): Completion {
  const value = evaluate(context, statement.discriminant)
  const scope = inner(context)
  const matches = statement.cases.findIndex(
    ({ test }) => test !== null && test !== undefined && evaluate(scope, test) === value,
  )
  const start = matches < 0 ? statement.cases.findIndex(({ test }) => test === null) : matches
  if (start < 0) return undefined
  for (const { consequent } of statement.cases.slice(start)) {
    const completion = runStatements(scope, consequent)
    if (completion?.kind === 'break') return undefined
    if (completion !== undefined) return completion
  }
  return undefined
}

function runTry(context: Context, statement: Statement & { type: 'TryStatement' }): Completion {
  const { handler } = statement
  const done = context.run.attempt(() => runStatement(context, statement.block))
  if (!(done instanceof EvaluationProblem)) return done
  if (done.kind === 'limit' || done.kind === 'page' || handler === null || handler === undefined)
    throw done
  return runStatement(context, handler.body)
}
