/** Reads YAML files and frontmatter of the old site. */
import { findBodyStart, type JsonNode, parseYaml, SourceText, toValue } from '@octavo/model'
import type { MigrationReport } from '../site/report.ts'
import { asValues, type Values } from '../site/values.ts'
import type { ForeignFolder } from './foreign-folder.ts'

/** Returns undefined, and reports why, if the file cannot be read. */
export function readYaml(
  folder: ForeignFolder,
  file: string,
  report: MigrationReport,
): JsonNode | undefined {
  const text = folder.read(file)
  if (text === undefined) return undefined
  const parsed = parseYaml(new SourceText(file, text), 0, text.length)
  if (parsed.kind === 'malformed') {
    for (const { offset, message } of parsed.problems)
      report.leave(message, { file, line: text.slice(0, offset).split('\n').length })
    return undefined
  }
  return parsed.node
}

/** Splits a page into the fields of its frontmatter and its body. */
export function readFrontmatter(
  file: string,
  written: string,
): { readonly meta: Values; readonly body: string } {
  const end = findBodyStart(written)
  const body = written.slice(end)
  if (end === 0) return { meta: {}, body }
  const from = written.indexOf('\n') + 1
  const block = written.slice(0, end).replace(/---[ \t]*\n?$/, '')
  const parsed = parseYaml(new SourceText(file, written), from, block.length)
  const isRead = parsed.kind === 'parsed' && parsed.node !== undefined
  return { meta: isRead ? asValues(toValue(parsed.node)) : {}, body }
}
