/** Reads server-sent events and JSON lines from chunks. */
export type ServerEvent = {
  /** The event's name, if it has one. */
  readonly name: string | undefined
  readonly data: string
  readonly timeMs: number
}

const EVENTS_MAX = 2_000
/** The character before each value of a JSON text sequence (RFC 7464). */
const RECORD_START = String.fromCharCode(0x1e)

export class EventReader {
  readonly #separator: RegExp
  readonly #isStream: boolean
  #rest = ''
  #events: readonly ServerEvent[] = []

  private constructor(isStream: boolean) {
    this.#isStream = isStream
    this.#separator = isStream ? /\r\n\r\n|\n\n|\r\r/ : /\r?\n/
  }

  static for(type: string): EventReader | undefined {
    if (type === 'text/event-stream') return new EventReader(true)
    return /ndjson|jsonl|json-seq|json-lines/.test(type) ? new EventReader(false) : undefined
  }

  get events(): readonly ServerEvent[] {
    return this.#events
  }

  push(piece: string, timeMs: number): void {
    const parts = `${this.#rest}${piece}`.split(this.#separator)
    this.#rest = parts.pop() ?? ''
    this.#add(parts, timeMs)
  }

  end(timeMs: number): void {
    const rest = this.#rest
    this.#rest = ''
    this.#add([rest], timeMs)
  }

  #add(parts: readonly string[], timeMs: number): void {
    const found = parts.flatMap((part) => {
      if (part.trim() === '') return []
      if (!this.#isStream)
        return [{ name: undefined, data: part.replace(RECORD_START, ''), timeMs }]
      const lines = part.split(/\r\n|\n|\r/)
      const data = lines.flatMap((line) => fieldOf(line, 'data'))
      const [name] = lines.flatMap((line) => fieldOf(line, 'event'))
      return data.length === 0 ? [] : [{ name, data: data.join('\n'), timeMs }]
    })
    if (found.length > 0) this.#events = [...this.#events, ...found].slice(-EVENTS_MAX)
  }
}

function fieldOf(line: string, name: string): readonly string[] {
  return line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : []
}
