/** Evaluates the imports and exports of a page or a module. */
import type { Fix } from '@octavo/model'
import type {
  ExportNamedDeclaration,
  Identifier,
  ImportDeclaration,
  Literal,
  ModuleDeclaration,
  Program,
  Statement,
} from 'estree-jsx'
import { COMPONENTS } from '../allowed/components.ts'
import { isForeignName } from '../foreign/foreign-components.ts'
import { evaluate } from '../interpreter/evaluate.ts'
import { EvaluationProblem, type Unit } from '../interpreter/problem.ts'
import { type Context, startOf } from '../interpreter/run.ts'
import type { Scope } from '../interpreter/scope.ts'
import { declare, runStatements } from '../interpreter/statements.ts'
import { Broken, Closure, Missing, newObject, type Value } from '../interpreter/value.ts'
import type { PageState, Spot } from '../page-state.ts'

/** All names that a file exports, including `default`. */
export type Exports = ReadonlyMap<string, Value>

export type ModuleReading = {
  readonly page: PageState
  readonly scope: Scope
  readonly unit: Unit
  /** Returns the exports of a file. If it cannot be loaded, reports this and returns undefined. */
  readonly load: (written: string, spot: Spot, help?: ImportHelp) => Exports | undefined
}

/** Advice to an author about an import that cannot be resolved. */
export type ImportHelp = { readonly hint: string | undefined; readonly fix: Fix | undefined }

/** Defines the names of a module in its scope, and collects its exports. */
export function readModule(
  reading: ModuleReading,
  program: Program,
  exports: Map<string, Value>,
): void {
  const statements = program.body
  // Functions are hoisted, so they are defined first.
  for (const statement of statements) hoist(reading, statement)
  for (const statement of statements) {
    const problem = reading.page.run.attempt(() => readStatement(reading, statement, exports))
    if (problem instanceof EvaluationProblem && problem.kind === 'page') throw problem
    if (problem instanceof EvaluationProblem) failed(reading, statement, problem)
    for (const name of exportedNames(statement))
      if (!exports.has(name) && reading.scope.has(name)) exports.set(name, reading.scope.get(name))
  }
}

type Top = Program['body'][number]

function hoist({ scope, unit }: ModuleReading, statement: Top): void {
  const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (inner?.type === 'FunctionDeclaration' && inner.id !== null) {
    scope.define(inner.id.name, new Closure(inner, scope, unit, inner.id.name))
  }
}

function readStatement(reading: ModuleReading, statement: Top, exports: Map<string, Value>): void {
  const context: Context = { run: reading.page.run, scope: reading.scope, unit: reading.unit }
  switch (statement.type) {
    case 'ImportDeclaration':
      readImport(reading, statement)
      return
    case 'ExportNamedDeclaration':
      readExport(reading, statement, exports)
      return
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement
      if (declaration.type === 'FunctionDeclaration') {
        const value = new Closure(
          declaration,
          reading.scope,
          reading.unit,
          declaration.id?.name ?? 'default',
        )
        exports.set('default', value)
      } else if (declaration.type !== 'ClassDeclaration') {
        const value = evaluate(context, declaration)
        if (value instanceof Closure && value.name === '') value.name = 'default'
        exports.set('default', value)
      }
      return
    }
    case 'ExportAllDeclaration': {
      const from = reading.load(String(statement.source.value), spotAt(reading, statement))
      for (const [name, value] of from ?? []) if (name !== 'default') exports.set(name, value)
      return
    }
    case 'FunctionDeclaration':
      return
    default:
      runStatements(context, [statement as Statement])
  }
}

function readImport(reading: ModuleReading, statement: ImportDeclaration): void {
  const written = String(statement.source.value)
  // React hooks are available without an import.
  if (written === 'react') {
    readReact(reading, statement)
    return
  }
  const names = statement.specifiers.map(({ local }) => local.name)
  const help = { hint: hintForBuiltIns(names), fix: removalOf(reading, statement) }
  const exports = reading.load(written, spotAt(reading, statement), help)
  for (const specifier of statement.specifiers) {
    const { name } = specifier.local
    if (exports === undefined) {
      reading.scope.define(name, new Missing(name))
      continue
    }
    if (specifier.type === 'ImportNamespaceSpecifier') {
      reading.scope.define(name, newObject(exports))
      continue
    }
    const wanted =
      specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier.imported)
    reading.scope.define(name, pick(reading, { exports, wanted, written, statement, name }))
  }
}

/**
 * Returns the fix that removes an import of built-in components, or of foreign components that the
 * page does not use.
 */
function removalOf({ page, unit }: ModuleReading, statement: ImportDeclaration): Fix | undefined {
  const names = statement.specifiers.map(({ local }) => local.name)
  const isKnown = (name: string) =>
    COMPONENTS.has(name) || (isForeignName(name) && !page.usesTag(unit.source, name))
  if (names.length === 0 || !names.every(isKnown)) return undefined
  const { start, end } = statement as { readonly start?: number; readonly end?: number }
  if (start === undefined || end === undefined) return undefined
  const at = (offset: number) => unit.toOffset(unit.base + offset)
  return { find: unit.source.text.slice(at(start), at(end)), put: '' }
}

/**
 * Returns a hint for imports of built-in components, such as
 * `import { Note } from '@other/components'`.
 */
function hintForBuiltIns(names: readonly string[]): string | undefined {
  if (names.length === 0 || !names.every((name) => COMPONENTS.has(name))) return undefined
  const list = names.map((name) => `\`<${name}>\``).join(', ')
  return `Remove the import: ${list} can be used on every page.`
}

type Pick = {
  readonly exports: Exports
  readonly wanted: string
  readonly written: string
  readonly name: string
  readonly statement: ModuleDeclaration
}

/** Returns an import's value. A default import falls back to the export with the same name. */
function pick(reading: ModuleReading, { exports, wanted, written, statement, name }: Pick): Value {
  if (exports.has(wanted)) return exports.get(wanted)
  if (wanted === 'default' && exports.has(name)) return exports.get(name)
  // A named import from a Markdown file that does not export the name means the file itself.
  if (/\.mdx?$/.test(written) && exports.has('default')) return exports.get('default')
  reading.page.report('content/import', spotAt(reading, statement), {
    message: `\`${written}\` does not export \`${wanted}\`.`,
    hint: `Write \`export const ${wanted === 'default' ? name : wanted} = …\` there, or import another name.`,
  })
  return new Missing(name)
}

function readReact(reading: ModuleReading, statement: ImportDeclaration): void {
  const react = reading.scope.find('React')?.get('React')
  for (const specifier of statement.specifiers) {
    const wanted = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : ''
    const found = reading.scope.find(wanted)
    reading.scope.define(specifier.local.name, wanted === '' ? react : found?.get(wanted))
  }
}

function nameOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value)
}

function readExport(
  reading: ModuleReading,
  statement: ExportNamedDeclaration,
  exports: Map<string, Value>,
): void {
  const { declaration, source, specifiers } = statement
  const context: Context = { run: reading.page.run, scope: reading.scope, unit: reading.unit }
  if (declaration?.type === 'VariableDeclaration') {
    for (const declarator of declaration.declarations) {
      declare(context, { ...declaration, declarations: [declarator] })
      for (const name of namesOf(declarator.id)) exports.set(name, reading.scope.get(name))
    }
  } else if (declaration?.type === 'FunctionDeclaration') {
    exports.set(declaration.id.name, reading.scope.get(declaration.id.name))
  }
  const from =
    source === null || source === undefined
      ? undefined
      : reading.load(String(source.value), spotAt(reading, statement))
  for (const specifier of specifiers) {
    const local = nameOf(specifier.local)
    const value =
      source === null || source === undefined
        ? reading.scope.find(local)?.get(local)
        : from?.get(local)
    exports.set(nameOf(specifier.exported), value)
  }
}

/**
 * Returns the names of an `export const` or `export class`, even if the values cannot be evaluated.
 */
function exportedNames(statement: Top): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration') return []
  const { declaration } = statement
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => namesOf(id))
  return declaration?.type === 'ClassDeclaration' ? [declaration.id.name] : []
}

function namesOf(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'object' || pattern === null || !('type' in pattern)) return []
  if (pattern.type === 'Identifier' && 'name' in pattern) return [String(pattern.name)]
  const parts = ['properties', 'elements', 'value', 'left', 'argument'].flatMap((key) => {
    const part = (pattern as Record<string, unknown>)[key]
    return Array.isArray(part) ? part : [part]
  })
  return parts.flatMap(namesOf)
}

function spotAt({ unit }: ModuleReading, node: Top): Spot {
  return { source: unit.source, offset: unit.toOffset(unit.base + startOf(node)) }
}

/** Marks the names of a failed statement as broken. The problem is reported where they are used. */
function failed(reading: ModuleReading, statement: Top, problem: EvaluationProblem): void {
  const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  const ids = inner?.type === 'VariableDeclaration' ? inner.declarations.map(({ id }) => id) : []
  if (inner?.type === 'ClassDeclaration' && inner.id !== null) ids.push(inner.id)
  for (const name of ids.flatMap(namesOf)) {
    if (!reading.scope.has(name)) reading.scope.define(name, new Broken(problem))
  }
  if (ids.length > 0 && problem.kind !== 'limit') return
  reading.page.report(
    problem.kind === 'limit' ? 'content/limit' : 'content/expression',
    spotAt(reading, statement),
    {
      message: `This statement cannot be evaluated: ${problem.message}.`,
      hint: 'Use plain data, and functions that only render. Octavo does not run other code.',
    },
  )
}
