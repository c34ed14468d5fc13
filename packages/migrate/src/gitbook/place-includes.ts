/** Replaces reusable content by snippets. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { mapProse } from '../page/map-prose.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { PartContext } from './convert-page.ts'

export type Includes = {
  /** Returns the text of a file of the old site. */
  readonly read: (file: string) => string | undefined
  /** The files that are being converted into each other, the outermost first. */
  readonly stack: readonly string[]
  /** Converts a file to a snippet and returns its name; undefined if it cannot be read. */
  readonly snippet: (file: string, stack: readonly string[]) => string | undefined
}

const INCLUDE = /^([ \t]*)\{%[ \t]*include[ \t]+"([^"\n]{1,300})"[ \t]*%\}[ \t]*$/gm

export function placeIncludes(
  body: string,
  { source, report, placeOf, includes }: PartContext,
): string {
  const place = (written: string, indent: string, target: string) => {
    const leave = (reason: string) => {
      report.leave(`The included file was omitted: ${reason}.`, placeOf(written))
      return ''
    }
    const path = joinPath(posix.dirname(source.file), target)
    if (path === undefined) return leave('it is outside of the folder')
    if (includes.stack.includes(path) || path === source.file) return leave('it includes itself')
    if (includes.stack.length >= MIGRATE_LIMITS.includeDepthMax)
      return leave('too many files include each other')
    const name = includes.snippet(path, [...includes.stack, path])
    if (name === undefined) return leave('it is not in the folder, or it is too large')
    report.convert('included file')
    return `${indent}<Snippet file="${name}" />`
  }
  return mapProse(body, (prose) => prose.replaceAll(INCLUDE, place))
}
