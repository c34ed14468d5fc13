/**
 * Reads the events of js-yaml for a YAML text, in order. Values follow the core schema: no dates,
 * no binary data, and no tags that create objects.
 */
import {
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml'

type ParsedEvents =
  | { readonly kind: 'parsed'; readonly events: YamlEvents }
  /** A text that cannot be parsed; `reason` is the message of the parser. */
  | { readonly kind: 'malformed'; readonly offset: number; readonly reason: string }

export function parseYamlEvents(text: string, maxDepth: number): ParsedEvents {
  try {
    return { kind: 'parsed', events: new YamlEvents(text, parseEvents(text, { maxDepth })) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const offset = Math.min(error.mark?.position ?? 0, text.length)
    return { kind: 'malformed', offset, reason: error.reason }
  }
}

export class YamlEvents {
  readonly #text: string
  readonly #events: readonly Event[]
  /** The index of the next event. The first event only marks the start of the document. */
  #next = 1

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  get isEmpty(): boolean {
    return this.#events.length === 0
  }

  /** The event that `take` will return. */
  get next(): Event | undefined {
    return this.#events[this.#next]
  }

  /** The offset of the next event. */
  get nextStart(): number {
    return startOf(this.#events[this.#next])
  }

  take(): Event | undefined {
    const event = this.#events[this.#next]
    this.#next += 1
    return event
  }

  /** Checks whether a collection continues. At its end, skips the end event and returns false. */
  continues(): boolean {
    const event = this.#events[this.#next]
    if (event === undefined) return false
    if (event.type !== EVENT_ID.POP) return true
    this.#next += 1
    return false
  }

  /** Returns the offset of the second document if the text contains several. */
  secondDocumentStart(): number | undefined {
    const second = this.#events.findIndex(
      (event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT,
    )
    return second === -1 ? undefined : startOf(this.#events[second + 1])
  }

  /** Returns the text of a scalar with its quotes, escapes and indentation resolved. */
  textOf(event: ScalarEvent): string {
    return getScalarValue(this.#text, event)
  }

  /** Returns the typed value of a scalar. Quoted and block scalars are always strings. */
  valueOf(event: ScalarEvent, text: string): unknown {
    if (event.style !== SCALAR_STYLE.PLAIN) return text
    return CORE_SCHEMA.resolveImplicitScalarTag(text).value
  }
}

function startOf(event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return Math.max(0, event.valueStart)
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start
    case EVENT_ID.ALIAS:
      return event.anchorStart
    default:
      return 0
  }
}
