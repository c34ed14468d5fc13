/**
 * Takes the types out of TypeScript modules of the site. esbuild does that in a process of its own,
 * which a restricted worker may not start: it asks the process that it belongs to (page-pool.ts).
 */
import type { Loader, Message } from 'esbuild'
import {
  lineStarts,
  type StrippedText,
  type StripTypes,
  type TypedFile,
} from './stripped-module.ts'

export const stripTypes: StripTypes = async ({ file, text }) => {
  const problem = enumProblem({ file, text })
  if (problem !== undefined) return { kind: 'malformed', ...problem }
  // The compiler is loaded by the few runs that need it, not by every command.
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
      // The author's tsconfig.json is not read, so the result depends on the text alone.
      tsconfigRaw: {},
    }),
  )
  if (ran.kind === 'gave-up') return { kind: 'malformed', message: ran.reason, offset: 0 }
  if (ran.kind === 'failed') return malformed(text, ran.errors[0])
  const { mappings } = JSON.parse(ran.result.map) as { mappings: string }
  return { kind: 'stripped', code: ran.result.code, mappings }
}

/** The language of a file, as esbuild calls it. */
export function languageOf(path: string): Loader {
  if (path.endsWith('.tsx')) return 'tsx'
  return path.endsWith('.ts') ? 'ts' : 'jsx'
}

/**
 * An `enum` in TypeScript. The compiler works out its values, and each may be twice the one before:
 * forty short lines would fill the memory. A comment after the word is taken for one as well, so
 * that the expression need not read comments.
 */
const ENUM = /\benum(?:\s*\/[/*]|\s+[^\s/{]+\s*(?:\{|\/[/*]))/u

/** Why a file must not be given to the compiler, or nothing. */
export function enumProblem({
  file,
  text,
}: TypedFile): { readonly message: string; readonly offset: number } | undefined {
  const offset = /\.tsx?$/.test(file) ? text.search(ENUM) : -1
  return offset < 0
    ? undefined
    : { message: 'it has an `enum`; use an object of constants', offset }
}

/** The first error of the compiler, which counts the bytes of a line. */
function malformed(text: string, error: Message | undefined): StrippedText {
  const { text: message = 'it cannot be parsed', location } = error ?? {}
  if (location == null) return { kind: 'malformed', message, offset: 0 }
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length
  return { kind: 'malformed', message, offset: (lineStarts(text)[location.line - 1] ?? 0) + column }
}
