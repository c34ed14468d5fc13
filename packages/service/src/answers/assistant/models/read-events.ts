import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** The limit per event; the longest answer in one piece is far below it. */
const EVENT_CHARACTERS_MAX = 250_000

/** Yields the events of a stream, each as soon as it is complete. */
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
  // The last event may lack its empty line.
  parser.feed(`${decoder.decode()}\n\n`)
  yield* whole
}
