/**
 * Defines a TypeScript module without its types, which `strip-types.ts` creates and the parser
 * reads.
 */
import { SourceMap } from 'node:module'
import type { StrippedModule } from '@octavo/content'

export type TypedFile = { readonly file: string; readonly text: string }

/** The result of removing the types from a file, as data that can be sent to another process. */
export type StrippedText =
  | {
      readonly kind: 'stripped'
      readonly code: string
      /** The `mappings` field of the source map. */
      readonly mappings: string
    }
  | { readonly kind: 'malformed'; readonly message: string; readonly offset: number }

export type StripTypes = (file: TypedFile) => Promise<StrippedText>

/** Returns the module for code without types. It maps offsets in the code back to the file. */
export function strippedModule(text: string, stripped: StrippedText): StrippedModule {
  if (stripped.kind === 'malformed') return stripped
  const { code, mappings } = stripped
  let places: Places | undefined
  const toOffset = (offset: number) => {
    places ??= openPlaces(text, { code, mappings })
    return originOf(places, offset)
  }
  return { kind: 'stripped', code, toOffset }
}

type Places = {
  readonly map: SourceMap
  /** Offsets at which the lines start in the code and in the file. */
  readonly codeLines: readonly number[]
  readonly fileLines: readonly number[]
  readonly length: number
}

function openPlaces(
  text: string,
  { code, mappings }: { readonly code: string; readonly mappings: string },
): Places {
  const payload = { version: 3, file: '', sources: [''], sourcesContent: [], names: [], mappings }
  return {
    map: new SourceMap({ ...payload, sourceRoot: '' }),
    codeLines: lineStarts(code),
    fileLines: lineStarts(text),
    length: text.length,
  }
}

function originOf({ map, codeLines, fileLines, length }: Places, offset: number): number {
  const line = codeLines.findLastIndex((start) => start <= offset)
  const column = offset - (codeLines[line] ?? 0)
  const entry = map.findEntry(line, column)
  if (!('originalLine' in entry)) return 0
  const start = (fileLines[entry.originalLine] ?? 0) + entry.originalColumn
  // An offset inside a token keeps its distance to the token's start.
  const inside = entry.generatedLine === line ? column - entry.generatedColumn : 0
  return Math.min(start + inside, length)
}

export function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|[\r\n\u2028\u2029]/g)].map(endOf)]
}

function endOf({ index, 0: found }: RegExpExecArray): number {
  return index + found.length
}
