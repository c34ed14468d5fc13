import type { BlockStatement, Expression, Pattern } from 'estree-jsx'
import { callerOf, evaluate } from './evaluate.ts'
import { bind } from './patterns.ts'
import { type Context, fail } from './run.ts'
import { Scope } from './scope.ts'
import { runBlock } from './statements.ts'
import { Closure, Markup, Missing, Native, newObject, Snippet, type Value } from './value.ts'

type Call = { readonly callee: Value; readonly args: readonly Value[]; readonly node: Expression }

/** Calls a native function or a function that the author wrote. */
export function call(context: Context, { callee, args, node }: Call): Value {
  return invoke(context, callee, { args, node })
}

/** Calls a value with arguments. Problems are reported at the place of `node`. */
export function invoke(
  context: Context,
  callee: Value,
  { args, node }: { readonly args: readonly Value[]; readonly node: Expression },
): Value {
  if (callee instanceof Native) {
    if (callee.browser && context.run.frame !== undefined) context.run.frame.needsBrowser = true
    context.run.spend(1, context, node)
    return callee.call(args, callerOf(context, node))
  }
  if (callee instanceof Closure) return invokeClosure(context, callee, { args, node })
  if (callee instanceof Snippet) return new Markup(callee.render(newObject()))
  if (callee instanceof Missing) {
    return fail('undefined-name', `\`${callee.name}\` was not imported`, { context, node })
  }
  return fail('unsupported', 'The called value is not a function', { context, node })
}

function invokeClosure(
  context: Context,
  closure: Closure,
  { args, node }: { readonly args: readonly Value[]; readonly node: Expression },
): Value {
  const { syntax } = closure
  if (syntax.async === true || syntax.generator === true) {
    return fail('browser', 'Async functions and generators run only in a browser', {
      context,
      node,
    })
  }
  context.run.enter(context, node)
  const scope = new Scope(closure.scope)
  const inner: Context = { run: context.run, scope, unit: closure.unit }
  bindArguments(inner, syntax.params, args)
  const value = isBlock(syntax.body) ? runBlock(inner, syntax.body) : evaluate(inner, syntax.body)
  context.run.leave()
  return value
}

function isBlock(body: BlockStatement | Expression): body is BlockStatement {
  return body.type === 'BlockStatement'
}

function bindArguments(context: Context, params: readonly Pattern[], args: readonly Value[]): void {
  for (const [index, param] of params.entries()) {
    if (param.type === 'RestElement') bind(context, param.argument, args.slice(index))
    else bind(context, param, args[index])
  }
}
