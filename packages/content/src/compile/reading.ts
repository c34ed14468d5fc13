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

/** The state of compiling one file into a page: the file, its scope, and the current depth. */
export type Reading = {
  readonly page: PageState
  readonly file: MarkdownFile
  readonly scope: Scope
  /** Undefined if the site has no variables, to skip the search for them. */
  readonly variables: Variables | undefined
  /** The props of a snippet; they replace `{name}` in its code fences. */
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

/** Creates the unit of code that starts at an offset of the tree. */
export function unitAt(reading: Reading, offset: number): Unit {
  const { file } = reading
  return { source: file.source, base: offset, toOffset: (inner) => offsetOf(file, inner) }
}
