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
  /**
   * The variables of the site; undefined if there are no variables, so that texts are not searched for
   * them.
   */
  readonly variables: Variables | undefined
  /** The props of a snippet, which replace `{name}` in its code blocks. */
  readonly props: ValueObject | undefined
  readonly depth: number
  /** True in the text of a link, which is often the path of an operation such as `/plants/{id}`. */
  readonly isInLink: boolean
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

/** Returns the unit of code that starts at an offset of the parsed text. */
export function unitAt(reading: Reading, offset: number): Unit {
  const { file } = reading
  return { source: file.source, base: offset, toOffset: (inner) => offsetOf(file, inner) }
}
