/**
 * Returns files of the site as input for a compiler: their code, and the names of components in it.
 */
import type { Program } from 'estree-jsx'
import { parseModule } from '../interpreter/parse-code.ts'
import { offsetOf } from './markdown-file.ts'
import type { LoadedFile } from './module-loader.ts'

/**
 * Returns the code of a file. For Markdown, everything except imports and exports is replaced by
 * spaces, so that lines and columns stay the same.
 */
export function moduleCode(loaded: LoadedFile): string {
  if (loaded.kind === 'module') return loaded.source.text
  const { file } = loaded
  const { text } = file.source
  let code = ''
  let end = 0
  for (const { syntax, start } of file.statements) {
    const stop = start + (syntax as Spanned).end
    code += blank(text.slice(end, offsetOf(file, start))) + file.parsed.text.slice(start, stop)
    end = offsetOf(file, stop)
  }
  return code + blank(text.slice(end))
}

type Spanned = Program & { readonly end: number }

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ')
}

/**
 * Returns the possible island names in a module: all capitalized top-level names, exported or not,
 * and `default`. Undefined if the text is not JavaScript.
 */
export function islandNames(code: string): readonly string[] | undefined {
  const parsed = parseModule(code)
  if (parsed.kind === 'malformed') return undefined
  const names = parsed.syntax.body.flatMap(namesDefined)
  return [...new Set(names)].filter((name) => name === 'default' || /^\p{Lu}/u.test(name))
}

function namesDefined(statement: Program['body'][number]): readonly string[] {
  switch (statement.type) {
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement
      const isNamed =
        declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration'
      return isNamed && declaration.id !== null ? ['default', declaration.id.name] : ['default']
    }
    case 'ExportNamedDeclaration': {
      if (statement.declaration != null) return namesDefined(statement.declaration)
      const exported = statement.specifiers.map((specifier) =>
        specifier.exported.type === 'Identifier' ? specifier.exported.name : '',
      )
      return exported.includes('default') ? ['default'] : []
    }
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return [statement.id.name]
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    default:
      return []
  }
}
