import {
  type Diagnostic,
  DiagnosticList,
  diagnose,
  type Report,
} from '../diagnostics/diagnostic.ts'
import { formatCount, LIMITS } from '../diagnostics/limits.ts'
import {
  type JsonNode,
  type JsonObject,
  placeAt,
  placeOf,
  placeOfMember,
  renameKey,
  toValue,
} from '../json/json-node.ts'
import { parseYaml } from '../json/parse-yaml.ts'
import { SourceText } from '../json/source-text.ts'
import { readFields } from '../schema/shape.ts'
import { correctionOf, isTypoOf } from '../text/nearest.ts'
import { EMPTY_FRONTMATTER, FRONTMATTER_FIELDS, type Frontmatter } from './frontmatter-fields.ts'

export type ParsedFrontmatter = {
  readonly frontmatter: Frontmatter
  /** The offset at which the body of the page begins. */
  readonly bodyStart: number
  readonly diagnostics: readonly Diagnostic[]
}

const OPENING = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)/

/** Returns the offset of the page body without parsing the frontmatter. */
export function findBodyStart(text: string): number {
  const opening = OPENING.exec(text)?.[0]
  return opening === undefined ? 0 : (findClosing(text, opening.length)?.end ?? 0)
}

/**
 * Parses the `---` block at the top of a page. Never throws. Without such a block, the whole text
 * is the body.
 */
export function parseFrontmatter(file: string, text: string): ParsedFrontmatter {
  const opening = OPENING.exec(text)?.[0]
  if (opening === undefined)
    return { frontmatter: EMPTY_FRONTMATTER, bodyStart: 0, diagnostics: [] }
  const list = new DiagnosticList()
  const source = new SourceText(file, text)
  const start = opening.length
  const closing = findClosing(text, start)
  if (closing === undefined) return unclosed(source, start, list)
  const frontmatter = readBlock(source, start, closing.start, list.report)
  return { frontmatter, bodyStart: closing.end, diagnostics: list.sorted() }
}

/**
 * Reads the frontmatter fields of an operation from `x-svc.metadata`. The same rules apply as for a
 * page.
 */
export function readMetadata(metadata: JsonObject, report: Report): Frontmatter {
  return readMapping(metadata, report)
}

function findClosing(text: string, from: number): { start: number; end: number } | undefined {
  const fence = /^---[ \t]*(?:\r\n|\n|\r|$)/gm
  fence.lastIndex = from
  const found = fence.exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}

/**
 * A page may begin with a thematic break, so the frontmatter counts as unclosed only if `key:`
 * follows.
 */
function unclosed(source: SourceText, start: number, list: DiagnosticList): ParsedFrontmatter {
  let frontmatter = EMPTY_FRONTMATTER
  if (/^[\w:-]+:(?:\s|$)/.test(source.text.slice(start, start + 200))) {
    frontmatter = unreadable(source.text.slice(start, start + LIMITS.frontmatterSizeMax))
    list.report(
      diagnose('frontmatter/unclosed', placeAt(source, 0, ''), {
        message: 'The frontmatter has no closing `---`, so it would be shown as text.',
        hint: 'Add a line with `---` after the last field.',
      }),
    )
  }
  return { frontmatter, bodyStart: 0, diagnostics: list.sorted() }
}

function readBlock(source: SourceText, start: number, end: number, report: Report): Frontmatter {
  if (end - start > LIMITS.frontmatterSizeMax) {
    report(
      diagnose('frontmatter/too-large', placeAt(source, 0, ''), {
        message: `The frontmatter has ${formatCount(end - start)} characters; the limit is ${formatCount(LIMITS.frontmatterSizeMax)}.`,
        hint: 'Move large data into the page or into a separate file.',
      }),
    )
    return unreadable(source.text.slice(start, end))
  }
  const parsed = parseLeniently(source, start, end, report)
  for (const { offset, message, hint } of parsed.problems) {
    report(
      diagnose('frontmatter/syntax', placeAt(source, offset, ''), {
        message: message.replace(/^It /, 'The frontmatter '),
        hint,
      }),
    )
  }
  if (parsed.kind === 'malformed' || parsed.node === undefined) {
    return unreadable(source.text.slice(start, end))
  }
  return readMapping(parsed.node, report)
}

/**
 * Returns frontmatter for a block that cannot be parsed. `groups` restricts access: if the list of
 * groups cannot be read, no reader gets access.
 */
function unreadable(block: string): Frontmatter {
  return /^[ \t]*["']?groups["']?[ \t]*:/m.test(block)
    ? { ...EMPTY_FRONTMATTER, fields: { groups: [] } }
    : EMPTY_FRONTMATTER
}

/** How many lines are indented automatically before the YAML is rejected. */
const INDENTED_LINES_MAX = 50

/**
 * Parses YAML in which the lines of a quoted string are not indented. YAML requires the
 * indentation, but authors forget it and older parsers accept this. Such lines are indented here
 * and reported.
 */
function parseLeniently(
  source: SourceText,
  start: number,
  end: number,
  report: Report,
): ReturnType<typeof parseYaml> {
  let parsed = parseYaml(source, start, end)
  let patched = source
  let patchedEnd = end
  for (let count = 0; count < INDENTED_LINES_MAX; count += 1) {
    const problem = parsed.kind === 'malformed' ? parsed.problems[0] : undefined
    if (problem?.reason !== 'deficient indentation' || problem.offset >= patchedEnd) break
    const text = `${patched.text.slice(0, problem.offset)} ${patched.text.slice(problem.offset)}`
    const first = patched.text.charAt(problem.offset)
    report(
      diagnose('frontmatter/indentation', placeAt(patched, problem.offset, ''), {
        message: 'This line continues a multi-line value but is not indented, as YAML requires.',
        hint: 'Indent the line by a space, or write the value on one line.',
        fix: { find: first, put: ` ${first}`, distance: 0 },
      }),
    )
    patched = new SourceText(source.file, text)
    patchedEnd += 1
    parsed = parseYaml(patched, start, patchedEnd)
  }
  return parsed
}

function readMapping(node: JsonNode, report: Report): Frontmatter {
  if (node.type === 'null') return EMPTY_FRONTMATTER
  if (node.type !== 'object') {
    report(
      diagnose('frontmatter/syntax', placeAt(node.source, node.start, ''), {
        message: 'The frontmatter is not a list of `key: value` lines.',
        hint: 'Write one field on each line, such as `title: Start`.',
      }),
    )
    return EMPTY_FRONTMATTER
  }
  const metadata: Record<string, unknown> = Object.create(null)
  for (const [key, { value }] of node.members) {
    // A key without a value counts as missing: `icon:` is not an icon.
    if (value.type === 'null') node.members.delete(key)
    else if (!Object.hasOwn(FRONTMATTER_FIELDS, key)) {
      metadata[key] = toValue(value)
      reportTypo(node, key, report)
    }
  }
  const read = readFields(node, FRONTMATTER_FIELDS, report)
  const isClosed = read.groups === undefined && node.members.has('groups')
  const fields = isClosed ? { ...read, groups: [] } : read
  const openapi = (node.members.get('openapi') ?? node.members.get('openapi-schema'))?.value
  return openapi === undefined
    ? { fields, metadata }
    : { fields, metadata, openapiPlace: placeOf(openapi) }
}

/**
 * Reports a key only if it is probably a typo, since authors keep their own data in the
 * frontmatter.
 */
function reportTypo(node: JsonObject, key: string, report: Report): void {
  const known = Object.keys(FRONTMATTER_FIELDS)
  if (NOT_TYPOS.has(key)) return
  const meant = known.filter((field) => isTypoOf(key, field))
  const missing = meant.find((field) => !node.members.has(field))
  const exact = correctionOf(key, known)
  const field = missing ?? meant[0]
  if (field === undefined) return
  report(
    diagnose('key/unknown', placeOfMember(node, key), {
      message: `Unknown field \`${key}\`; it has no effect.`,
      hint:
        missing === undefined
          ? `Remove it: \`${field}\` is already set.`
          : `Did you mean \`${field}\`?`,
      fix: exact !== undefined && exact === missing ? renameKey(node, key, exact) : undefined,
    }),
  )
}

/** Common keys that look like a typo of a known field, but are not one. */
const NOT_TYPOS: ReadonlySet<string> = new Set(['author', 'tags', 'date', 'group', 'titles'])
