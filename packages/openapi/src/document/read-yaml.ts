/**
 * Parses YAML into a tape. Supports only the core schema, without dates, binary values, or tags
 * that create objects. An alias copies the rows of its anchor, up to a limit, so an alias bomb
 * fails during parsing and not only when its value is used. The merge key `<<` adds the keys that
 * the mapping itself does not have.
 */
import { formatCount, parseYamlEvents, type YamlEvents } from '@octavo/model'
import { EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { ReadLimits } from './read-json.ts'
import { readPlainYaml } from './read-plain-yaml.ts'
import { KIND, type NodeId, Tape, TapeFull } from './tape.ts'

type YamlProblem = {
  /** The diagnostic code; `openapi/yaml-feature` by default. */
  readonly code?: 'openapi/yaml-indentation'
  readonly offset: number
  readonly message: string
  readonly hint: string
}

/**
 * The values that differ from their text in the file, such as folded, escaped or hexadecimal ones.
 */
export type Decoded = { get(node: NodeId): string | undefined }

export type ReadYaml =
  | {
      readonly kind: 'read'
      readonly tape: Tape
      readonly decoded: Decoded
      /** The input text, or a copy with corrected indentation. */
      readonly text: string
      readonly problems: readonly YamlProblem[]
    }
  | { readonly kind: 'malformed'; readonly problem: YamlProblem }
  | { readonly kind: 'too-many'; readonly repeated: boolean }
  | { readonly kind: 'too-deep'; readonly offset: number }

export type YamlLimits = ReadLimits & { readonly repeatedNodesMax: number }

/** Parses the text as one document. */
export function readYaml(written: string, limits: YamlLimits): ReadYaml {
  const plain = readPlainYaml(written, limits)
  switch (plain.kind) {
    case 'read':
      return { ...plain, text: written, problems: [] }
    case 'too-many':
      return { kind: 'too-many', repeated: false }
    case 'unusual':
      return readYamlEvents(written, limits)
  }
}

/** Parses any YAML with js-yaml's events. */
export function readYamlEvents(written: string, limits: YamlLimits): ReadYaml {
  const parsed = parseLeniently(written, limits.depthMax)
  if (parsed.kind !== 'parsed') return parsed
  const { text, events, problems } = parsed
  const reader = new Reader(text, events, limits)
  try {
    const read = reader.read()
    return { ...read, text, problems: [...problems, ...read.problems] }
  } catch (error) {
    if (error instanceof TapeFull) return { kind: 'too-many', repeated: reader.isRepeating }
    if (!(error instanceof Unreadable)) throw error
    const { offset, message } = error
    return {
      kind: 'malformed',
      problem: { offset, message, hint: 'Write the value without this YAML feature.' },
    }
  }
}

/** The maximum number of characters that may be parsed again to correct the indentation. */
const REREAD_MAX = 20_000_000

type Parsed =
  | {
      readonly kind: 'parsed'
      readonly text: string
      readonly events: YamlEvents
      readonly problems: readonly YamlProblem[]
    }
  | { readonly kind: 'malformed'; readonly problem: YamlProblem }
  | { readonly kind: 'too-deep'; readonly offset: number }

/**
 * Parses YAML, and accepts closing brackets and continuation lines that are not indented. YAML
 * forbids them, but authors write them and other parsers accept them. This function indents and
 * reports them.
 */
function parseLeniently(written: string, maxDepth: number): Parsed {
  const brackets: number[] = []
  const problems: YamlProblem[] = []
  let text = written
  for (;;) {
    // Each earlier repair inserted one space before this offset.
    const repairs = brackets.length + problems.length
    const parsed = parseYamlEvents(text, maxDepth)
    if (parsed.kind === 'parsed') {
      return { ...parsed, text, problems: [...unindented(brackets), ...problems] }
    }
    const { offset, reason } = parsed
    const isIndentation = reason === 'deficient indentation' && offset < text.length
    if (!isIndentation || (repairs + 1) * text.length > REREAD_MAX) {
      if (/depth/i.test(reason)) return { kind: 'too-deep', offset }
      const message = `The file is not valid YAML: ${reason}.`
      const problem = { offset: offset - repairs, message, hint: LOOK_AT_INDENTATION }
      return { kind: 'malformed', problem }
    }
    if (/[\]}]/.test(text[offset] ?? '')) brackets.push(offset - repairs)
    else {
      const message = 'This line continues a value but is not indented more than its key.'
      problems.push({
        offset: offset - repairs,
        message,
        hint: 'Indent the line by one more space.',
      })
    }
    text = `${text.slice(0, offset)} ${text.slice(offset)}`
  }
}

/**
 * Reports closing brackets that are not indented. JSON inside YAML often has them, and nearly every
 * parser accepts them.
 */
function unindented(brackets: readonly number[]): readonly YamlProblem[] {
  const [offset] = brackets
  if (offset === undefined) return []
  const more = brackets.length - 1
  const others = more === 0 ? '' : ` The file has ${formatCount(more)} more like this.`
  const message = `This closing bracket is in the same column as its key, which strict YAML parsers reject.${others}`
  const hint = 'Octavo accepts it. For other tools, indent it by a space.'
  return [{ code: 'openapi/yaml-indentation', offset, message, hint }]
}

const LOOK_AT_INDENTATION =
  'Check the indentation, and put values with a colon or a symbol in quotes.'

/** Matches the tag for strings, in its short and its long forms. */
const IS_TEXT = /^(?:!!str|!<tag:yaml\.org,2002:str>|!)$/

class Reader {
  readonly #text: string
  readonly #events: YamlEvents
  readonly #limits: YamlLimits
  readonly #tape: Tape
  readonly #decoded = new Map<NodeId, string>()
  readonly #anchors = new Map<string, NodeId>()
  readonly #problems: YamlProblem[] = []
  #repeated = 0
  isRepeating = false

  constructor(text: string, events: YamlEvents, limits: YamlLimits) {
    this.#text = text
    this.#events = events
    this.#limits = limits
    this.#tape = new Tape(limits.nodesMax)
  }

  read() {
    if (!this.#events.isEmpty) this.#readNode(0)
    const offset = this.#events.secondDocumentStart()
    if (offset !== undefined) {
      const message = 'The file contains more than one YAML document; only the first one is used.'
      this.#problems.push({ offset, message, hint: 'Put each specification in its own file.' })
    }
    this.#tape.trim()
    return {
      kind: 'read' as const,
      tape: this.#tape,
      decoded: this.#decoded,
      problems: this.#problems,
    }
  }

  #readNode(lastOffset: number): NodeId {
    const event = this.#events.take()
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#named(event, this.#readScalar(event, lastOffset))
      case EVENT_ID.SEQUENCE: {
        if (event.tagStart >= 0) this.#tagged(event.tagStart, event.tagEnd)
        const node = this.#tape.open(KIND.array, event.start)
        while (this.#events.continues()) this.#readNode(event.start)
        this.#tape.close(node)
        return this.#named(event, node)
      }
      case EVENT_ID.MAPPING: {
        if (event.tagStart >= 0) this.#tagged(event.tagStart, event.tagEnd)
        const node = this.#tape.open(KIND.object, event.start)
        this.#readEntries(event.start)
        this.#tape.close(node)
        return this.#named(event, node)
      }
      case EVENT_ID.ALIAS:
        return this.#repeatAnchor(event.anchorStart, event.anchorEnd)
      default:
        return this.#tape.addScalar(KIND.null, lastOffset, lastOffset)
    }
  }

  #readScalar(event: ScalarEvent, lastOffset: number): NodeId {
    const { valueStart: start, valueEnd: end } = event
    // A key without a value (`summary:`) has no offsets for its value.
    if (start < 0) return this.#tape.addScalar(KIND.null, lastOffset, lastOffset)
    const value = this.#events.textOf(event)
    if (event.tagStart >= 0) {
      if (!IS_TEXT.test(this.#text.slice(event.tagStart, event.tagEnd)))
        this.#tagged(event.tagStart, event.tagEnd)
      return this.#addText(KIND.string, start, end, value)
    }
    const resolved = this.#events.valueOf(event, value)
    if (resolved === null) return this.#tape.addScalar(KIND.null, start, end)
    if (resolved === true) return this.#tape.addScalar(KIND.true, start, end)
    if (resolved === false) return this.#tape.addScalar(KIND.false, start, end)
    if (typeof resolved !== 'number') return this.#addText(KIND.string, start, end, value)
    // JSON does not support `.inf` and `.nan`, so they are read as text.
    if (!Number.isFinite(resolved)) return this.#addText(KIND.string, start, end, value)
    const plain = Number(value) === resolved ? value : String(resolved)
    return this.#addText(KIND.number, start, end, plain)
  }

  #addText(
    kind: typeof KIND.string | typeof KIND.number,
    start: number,
    end: number,
    value: string,
  ): NodeId {
    const asWritten = value.length === end - start && this.#text.startsWith(value, start)
    const node = this.#tape.addScalar(kind, start, end, !asWritten)
    if (!asWritten) this.#decoded.set(node, value)
    return node
  }

  #readEntries(start: number): void {
    const merged: NodeId[] = []
    const keys = new Set<string>()
    while (this.#events.continues()) {
      const keyStart = this.#events.nextStart
      if (this.#passMergeKey()) {
        for (const mapping of this.#readMerged(keyStart)) merged.push(mapping)
        continue
      }
      const key = this.#readNode(start)
      if (this.#tape.kind(key) <= KIND.array) {
        throw new Unreadable(keyStart, 'A key is not a string.')
      }
      keys.add(this.#textOf(key))
      this.#readNode(keyStart)
    }
    for (const mapping of merged) this.#merge(mapping, keys)
  }

  /** Adds the entries of a merged mapping, except those whose key already exists. */
  #merge(mapping: NodeId, keys: Set<string>): void {
    const end = this.#tape.next(mapping)
    for (let key = mapping + 1; key < end; key = this.#tape.next(key + 1)) {
      const name = this.#textOf(key)
      // A key that is not copied also counts, since checking it costs as much.
      this.#countRepeated(1)
      if (keys.has(name)) continue
      keys.add(name)
      this.#repeat(key)
      this.#repeat(key + 1)
    }
  }

  #passMergeKey(): boolean {
    const event = this.#events.next
    if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return false
    if (event.valueEnd - event.valueStart !== 2) return false
    if (!this.#text.startsWith('<<', event.valueStart)) return false
    this.#events.take()
    return true
  }

  /** Returns the mappings that `<<` refers to: one alias or a list of aliases. */
  #readMerged(keyStart: number): readonly NodeId[] {
    const isList = this.#events.next?.type === EVENT_ID.SEQUENCE
    if (isList) this.#events.take()
    const found: NodeId[] = []
    while (isList ? this.#events.continues() : found.length === 0) {
      const event = this.#events.take()
      const node =
        event?.type === EVENT_ID.ALIAS
          ? this.#anchored(event.anchorStart, event.anchorEnd)
          : undefined
      if (node === undefined || this.#tape.kind(node) !== KIND.object) {
        throw new Unreadable(
          keyStart,
          'The merge key `<<` does not refer to an alias of a mapping above it.',
        )
      }
      found.push(node)
    }
    return found
  }

  #repeatAnchor(start: number, end: number): NodeId {
    const node = this.#anchored(start, end)
    if (node !== undefined) return this.#repeat(node)
    throw new Unreadable(
      start,
      `The alias \`*${this.#text.slice(start, end)}\` refers to an anchor that is not defined above it.`,
    )
  }

  #anchored(start: number, end: number): NodeId | undefined {
    return this.#anchors.get(this.#text.slice(start, end))
  }

  #repeat(node: NodeId): NodeId {
    this.#countRepeated(this.#tape.next(node) - node)
    const first = this.#tape.length
    const shift = this.#tape.repeat(node)
    for (let row = first; row < this.#tape.length; row += 1) {
      const value = this.#tape.isEncoded(row) ? this.#decoded.get(row - shift) : undefined
      if (value !== undefined) this.#decoded.set(row, value)
    }
    return first
  }

  #countRepeated(count: number): void {
    this.#repeated += count
    if (this.#repeated <= this.#limits.repeatedNodesMax) return
    this.isRepeating = true
    throw new TapeFull()
  }

  #named(
    event: { readonly anchorStart: number; readonly anchorEnd: number },
    node: NodeId,
  ): NodeId {
    const { anchorStart, anchorEnd } = event
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), node)
    return node
  }

  #tagged(start: number, end: number): void {
    const tag = this.#text.slice(start, end)
    this.#problems.push({
      offset: start,
      message: `The YAML tag \`${tag}\` is not supported; the value after it is used as written.`,
      hint: 'Remove the tag, and put the value in quotes.',
    })
  }

  #textOf(node: NodeId): string {
    return this.#decoded.get(node) ?? this.#text.slice(this.#tape.start(node), this.#tape.end(node))
  }
}

/** Thrown and caught in this file when a document cannot be parsed further. */
class Unreadable extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}
