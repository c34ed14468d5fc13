/** Finds the SQL in the sources of the service that refers to its tenant, from the syntax tree. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

export type SourceStatement = {
  /** The file and the line, such as `projects/projects/store.ts:55`. */
  readonly place: string
  /** Matches the statement that is sent to the database. Each `${…}` matches any text. */
  readonly pattern: RegExp
}

const SOURCE = join(import.meta.dirname, '../src')
/** Matches the SQL function calls that return the tenant. */
export const TENANT = /(?<!function )\b(?:current_project|current_organization|lock_project)\(\)/g

/** The demo writes its sample data as the owner of the tables, so row-level security does not apply. */
const DEMO = 'app/commands/demo/'

export function findTenantStatements(): readonly SourceStatement[] {
  return globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !(file.endsWith('.test.ts') || file.startsWith(DEMO)))
    .toSorted()
    .flatMap((file) => findInFile(file, readFileSync(join(SOURCE, file), 'utf8')))
}

/** Returns the statements in one file. Exported for its test. */
export function findInFile(file: string, text: string): readonly SourceStatement[] {
  const found: SourceStatement[] = []
  const whole = new Set<number>()
  const add = ({ start }: ESTree.Node, parts: readonly string[]) => {
    if (!parts.some((part) => part.search(TENANT) >= 0)) return
    const line = text.slice(0, start).split('\n').length
    const pattern = parts.map((part) => RegExp.escape(part)).join('[^]*')
    found.push({
      place: `${file}:${line}`,
      // A text that is not an argument of `query` can be a part of a longer statement.
      pattern: new RegExp(whole.has(start) ? `^${pattern}$` : pattern),
    })
  }
  new Visitor({
    CallExpression: ({ callee, arguments: [argument] }) => {
      const name = callee.type === 'MemberExpression' ? callee.property : callee
      const isQuery = name.type === 'Identifier' && name.name === 'query'
      if (isQuery && argument !== undefined) whole.add(argument.start)
    },
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, [node.value])
    },
    TemplateLiteral: (node) => {
      add(
        node,
        node.quasis.map(({ value }) => value.cooked ?? value.raw),
      )
    },
  }).visit(parseSync(file, text).program)
  return found
}
