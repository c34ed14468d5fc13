import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** The maximum length of an event. Even the longest answer in a single event is far shorter. */
const EVENT_CHARACTERS_MAX = 250_000

/** Yields each event of a stream as soon as it is complete. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  onPiece: () => void,
): AsyncGenerator<EventSourceMessage, void> {
  const whole: EventSourceMessage[] = []
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: EVENT_CHARACTERS_MAX,
    onEvent: (event) => whole.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  for await (const piece of body) {
    onPiece()
    parser.feed(decoder.decode(piece, { stream: true }))
    yield* whole.splice(0)
  }
  // The empty line after the last event may be missing.
  parser.feed(`${decoder.decode()}\n\n`)
  yield* whole
}
