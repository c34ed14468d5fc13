import type { Unit } from '../interpreter/problem.ts'
import type { Scope } from '../interpreter/scope.ts'
import type { ValueObject } from '../interpreter/value.ts'
import {
  type Definitions,
  findDefinitions,
  type MarkdownFile,
  offsetOf,
} from '../modules/markdown-file.ts'
import type { PageState } from '../page-state.ts'

/** One file on its way into one page: what is read, what its names mean, and how deep we are. */
export type Reading = {
  readonly page: PageState
  readonly file: MarkdownFile
  readonly scope: Scope
  /** Nothing if the site has none: texts need not be looked through then. */
  readonly variables: Variables | undefined
  /** What a snippet was given; `{name}` in its code fences means these. */
  readonly props: ValueObject | undefined
  readonly depth: number
  /** Footnotes by name, in the order of their first reference. */
  readonly notes: Map<string, Note>
  readonly cache: { definitions: Definitions | undefined }
}

export type Note = { readonly number: number; readonly id: string; readonly references: string[] }

export type Variables = Readonly<Record<string, string>>

export function definitionsOf(reading: Reading): Definitions {
  reading.cache.definitions ??= findDefinitions(reading.file.parsed.root)
  return reading.cache.definitions
}

/** A piece of code that begins at an offset of the tree. */
export function unitAt(reading: Reading, offset: number): Unit {
  const { file } = reading
  return { source: file.source, base: offset, toOffset: (inner) => offsetOf(file, inner) }
}
