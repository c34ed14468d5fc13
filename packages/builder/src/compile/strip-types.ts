/**
 * Removes the types from TypeScript modules of the site. esbuild runs in its own process, which a
 * restricted worker may not start, so the worker asks its parent (page-pool.ts).
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
  // Loaded on demand, since few runs need the compiler.
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
      // Ignores the author's tsconfig.json, so the result depends only on the text.
      tsconfigRaw: {},
    }),
  )
  if (ran.kind === 'gave-up') return { kind: 'malformed', message: ran.reason, offset: 0 }
  if (ran.kind === 'failed') return malformed(text, ran.errors[0])
  const { mappings } = JSON.parse(ran.result.map) as { mappings: string }
  return { kind: 'stripped', code: ran.result.code, mappings }
}

/** Returns the esbuild loader of a file. */
export function languageOf(path: string): Loader {
  if (path.endsWith('.tsx')) return 'tsx'
  return path.endsWith('.ts') ? 'ts' : 'jsx'
}

/**
 * Matches an `enum` in TypeScript. The compiler evaluates its values, and each may double the
 * previous one: forty short lines would fill the memory. A comment after the word also matches, so
 * that the pattern need not parse comments.
 */
const ENUM = /\benum(?:\s*\/[/*]|\s+[^\s/{]+\s*(?:\{|\/[/*]))/u

/** Returns why a file must not be compiled; undefined if it may be. */
export function enumProblem({
  file,
  text,
}: TypedFile): { readonly message: string; readonly offset: number } | undefined {
  const offset = /\.tsx?$/.test(file) ? text.search(ENUM) : -1
  return offset < 0
    ? undefined
    : { message: 'it has an `enum`; use an object of constants', offset }
}

/** Reports the compiler's first error; esbuild counts columns in bytes. */
function malformed(text: string, error: Message | undefined): StrippedText {
  const { text: message = 'it cannot be parsed', location } = error ?? {}
  if (location == null) return { kind: 'malformed', message, offset: 0 }
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length
  return { kind: 'malformed', message, offset: (lineStarts(text)[location.line - 1] ?? 0) + column }
}
