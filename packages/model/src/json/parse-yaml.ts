/**
 * Parses YAML into the same nodes as JSON, with positions, so that one validator serves both. Only
 * the core schema is supported (no dates, no binary data). Anchors, aliases and tags are rejected,
 * so that a small file cannot expand to a huge value.
 */
import { EVENT_ID, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import { LIMITS } from '../diagnostics/limits.ts'
import type { JsonArray, JsonNode, JsonObject } from './json-node.ts'
import type { SourceText } from './source-text.ts'
import { parseYamlEvents, type YamlEvents } from './yaml-events.ts'

type YamlProblem = {
  readonly offset: number
  /** The message of the YAML parser, if the text cannot be parsed at all. */
  readonly reason?: string
  readonly message: string
  readonly hint: string
}
export type ParsedYaml =
  | {
      readonly kind: 'parsed'
      readonly node: JsonNode | undefined
      readonly problems: readonly YamlProblem[]
    }
  | { readonly kind: 'malformed'; readonly problems: readonly YamlProblem[] }

/** Parses the part of `source` between two offsets. Positions refer to the whole source. */
export function parseYaml(source: SourceText, start: number, end: number): ParsedYaml {
  const text = source.text.slice(start, end)
  const parsed = parseYamlEvents(text, LIMITS.jsonDepthMax)
  if (parsed.kind === 'parsed') {
    return new YamlReader({ source, text, shift: start, events: parsed.events }).read()
  }
  const { reason } = parsed
  const offset = start + parsed.offset
  const message = `It is not valid YAML: ${PLAIN_MESSAGES[reason] ?? reason}.`
  return { kind: 'malformed', problems: [{ offset, reason, message, hint: QUOTE_IT }] }
}

const QUOTE_IT =
  'Put values that contain a colon or a quote, or start with a symbol, in double quotes.'

/** Simpler wording for the most frequent messages of the YAML parser. */
const PLAIN_MESSAGES: Readonly<Record<string, string>> = {
  'bad indentation of a mapping entry':
    'this line cannot be parsed; a value with a colon in it needs quotes',
  'nested mappings are not allowed in compact mappings': 'a value with a colon in it needs quotes',
}

type Part = {
  readonly source: SourceText
  readonly text: string
  /** The offset of the YAML text in the source. */
  readonly shift: number
  readonly events: YamlEvents
}

class YamlReader {
  readonly #source: SourceText
  readonly #text: string
  readonly #shift: number
  readonly #events: YamlEvents
  readonly #problems: YamlProblem[] = []

  constructor({ source, text, shift, events }: Part) {
    this.#source = source
    this.#text = text
    this.#shift = shift
    this.#events = events
  }

  read(): ParsedYaml {
    const node = this.#events.isEmpty ? undefined : this.#readNode(0)
    const isSeveral = this.#events.secondDocumentStart() !== undefined
    if (isSeveral) this.#problem(0, 'It contains more than one YAML document.', 'Keep one.')
    return { kind: 'parsed', node, problems: this.#problems }
  }

  #readNode(lastOffset: number): JsonNode | undefined {
    const event = this.#events.take()
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#readScalar(event, lastOffset)
      case EVENT_ID.SEQUENCE:
        this.#refuseProperties(event)
        return this.#readSequence(event.start)
      case EVENT_ID.MAPPING:
        this.#refuseProperties(event)
        return this.#readMapping(event.start)
      case EVENT_ID.ALIAS:
        this.#problem(
          event.anchorStart,
          'It contains an alias (`*name`), which is not supported.',
          QUOTE_IT,
        )
        return this.#null(event.anchorStart)
      default:
        return undefined
    }
  }

  #readScalar(event: ScalarEvent, lastOffset: number): JsonNode {
    this.#refuseProperties(event)
    // A key without a value (`icon:`) has no value offsets.
    if (event.valueStart < 0) return this.#null(lastOffset)
    const position = this.#positionOf(this.#firstSign(event))
    const text = this.#events.textOf(event)
    const value = this.#events.valueOf(event, text)
    if (value === null) return { type: 'null', ...position }
    if (typeof value === 'boolean') return { type: 'boolean', value, text, ...position }
    if (typeof value === 'number') return { type: 'number', value, text, ...position }
    return { type: 'string', value: text, ...position }
  }

  /**
   * Returns the offset of a scalar's first character. A block scalar (`>-`) begins with the
   * indentation of its first line.
   */
  #firstSign({ style, valueStart }: ScalarEvent): number {
    const isBlock = style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK
    if (!isBlock) return valueStart
    const sign = this.#text.slice(valueStart).search(/\S/)
    return sign === -1 ? valueStart : valueStart + sign
  }

  #readSequence(start: number): JsonArray {
    const node: JsonArray = { type: 'array', items: [], ...this.#positionOf(start) }
    while (this.#events.continues()) {
      const item = this.#readNode(start)
      if (item === undefined) break
      item.parent = node
      item.key = node.items.length
      node.items.push(item)
    }
    return node
  }

  #readMapping(start: number): JsonObject {
    const node: JsonObject = {
      type: 'object',
      members: new Map(),
      ...this.#positionOf(start),
    }
    while (this.#events.continues()) {
      const keyNode = this.#readNode(start)
      if (keyNode === undefined) break
      const keyOffset = keyNode.start - this.#shift
      const key = scalarText(keyNode)
      if (key === undefined) {
        this.#problem(keyOffset, 'It contains a key that is not a string.', 'Write a plain key.')
      }
      const value = this.#readNode(keyOffset) ?? this.#null(keyOffset)
      if (key === undefined) continue
      if (node.members.has(key)) {
        const message = `The key \`${key}\` appears twice; only the last one is used.`
        this.#problem(keyOffset, message, 'Remove one of the two.')
      }
      value.parent = node
      value.key = key
      node.members.set(key, { keyStart: keyNode.start, source: this.#source, value })
    }
    return node
  }

  #refuseProperties(event: { readonly anchorStart: number; readonly tagStart: number }): void {
    if (event.tagStart >= 0) {
      this.#problem(
        event.tagStart,
        'It contains a tag (`!name`), which is not supported.',
        QUOTE_IT,
      )
    }
    if (event.anchorStart >= 0) {
      this.#problem(
        event.anchorStart,
        'It contains an anchor (`&name`), which is not supported.',
        QUOTE_IT,
      )
    }
  }

  #null(offset: number): JsonNode {
    return { type: 'null', ...this.#positionOf(offset) }
  }

  #positionOf(start: number) {
    return { source: this.#source, start: start + this.#shift, parent: undefined, key: '' }
  }

  #problem(offset: number, message: string, hint: string): void {
    this.#problems.push({ offset: offset + this.#shift, message, hint })
  }
}

function scalarText(node: JsonNode): string | undefined {
  if (node.type === 'string') return node.value
  if (node.type === 'number' || node.type === 'boolean') return node.text
  return node.type === 'null' ? 'null' : undefined
}
