/**
 * Removes the types from the TypeScript modules of a site. esbuild runs in its own process, which a
 * restricted worker may not start, so a worker asks its parent process to do this (page-pool.ts).
 */
import type { StrippedModule } from '@octavo/content'
import type { Loader, Message } from 'esbuild'
import {
  lineStarts,
  type StrippedText,
  type StripTypes,
  strippedModule,
  type TypedFile,
} from './stripped-module.ts'

export const stripTypes: StripTypes = async ({ file, text }) => {
  const problem = enumProblem({ file, text })
  if (problem !== undefined) return { kind: 'malformed', ...problem }
  // esbuild is loaded on demand, since few builds need it.
  const esbuild = await import('esbuild')
  const { runEsbuild } = await import('./run-esbuild.ts')
  const ran = await runEsbuild(() =>
    esbuild.transform(text, {
      loader: languageOf(file),
      jsx: 'preserve',
      target: 'esnext',
      charset: 'utf8',
      sourcemap: true,
      sourcesContent: false,
      // The author's tsconfig.json is ignored, so that the result depends only on the text.
      tsconfigRaw: {},
    }),
  )
  if (ran.kind === 'gave-up') return { kind: 'malformed', message: ran.reason, offset: 0 }
  if (ran.kind === 'failed') return malformed(text, ran.errors[0])
  const { mappings } = JSON.parse(ran.result.map) as { mappings: string }
  return { kind: 'stripped', code: ran.result.code, mappings }
}

/** Returns a TypeScript module without its types. */
export async function readTypedModule(typed: TypedFile): Promise<StrippedModule> {
  return strippedModule(typed.text, await stripTypes(typed))
}

/** Returns the esbuild loader of a file. */
export function languageOf(path: string): Loader {
  if (path.endsWith('.tsx')) return 'tsx'
  return path.endsWith('.ts') ? 'ts' : 'jsx'
}

/**
 * Matches an `enum` in TypeScript. The compiler evaluates its values, and each value may be twice
 * as long as the previous one: forty short lines could use up the memory. A comment after the word
 * also matches, so that the pattern does not need to parse comments.
 */
const ENUM = /\benum(?:\s*\/[/*]|\s+[^\s/{]+\s*(?:\{|\/[/*]))/u

/** Returns why a file must not be compiled, or undefined if it may be compiled. */
export function enumProblem({
  file,
  text,
}: TypedFile): { readonly message: string; readonly offset: number } | undefined {
  const offset = /\.tsx?$/.test(file) ? text.search(ENUM) : -1
  return offset < 0
    ? undefined
    : { message: 'the file has an `enum`; use an object of constants instead', offset }
}

/** Reports the compiler's first error. Columns are converted, because esbuild counts bytes. */
function malformed(text: string, error: Message | undefined): StrippedText {
  const { text: message = 'it cannot be parsed', location } = error ?? {}
  if (location == null) return { kind: 'malformed', message, offset: 0 }
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length
  return { kind: 'malformed', message, offset: (lineStarts(text)[location.line - 1] ?? 0) + column }
}
