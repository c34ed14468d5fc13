/**
 * An OpenAI-compatible `/v1/embeddings` server on loopback. It knows the words of a few topics, so
 * that texts about the same topic have similar vectors even if their words differ.
 */
import type { ModelServer } from '../../assistant/testing/model-server.ts'
import { startModelServer } from '../../assistant/testing/model-server.ts'

/** Each pattern matches the words of one topic. */
const THINGS = [
  /water|hose|thirsty|irrigat|dripping/gi,
  /soil|compost|earth|humus/gi,
  /vault|safe combination|strongbox/gi,
  /prune|pruning|secateurs|trim/gi,
]

/** Returns a vector with the topics of a text. The length of the text adds a little noise. */
function meaningOf(text: string): readonly number[] {
  const counts = THINGS.map((thing) => text.match(thing)?.length ?? 0)
  return [...counts, 0.05, (text.length % 7) / 100]
}

export type EmbeddingServer = ModelServer & {
  /** All texts that were sent since the last call to `answer`. */
  readonly texts: () => readonly string[]
  /** Makes the server respond with vectors, after an optional delay. */
  readonly answer: (delayMs?: number) => void
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = await startModelServer()
  const answer = (delayMs = 0) =>
    server.behave((response, body) => {
      const { input } = body as { readonly input: readonly string[] }
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: meaningOf(text),
      }))
      const reply = JSON.stringify({ object: 'list', data, model: 'things' })
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
      }, delayMs)
    })
  answer()
  return {
    ...server,
    answer,
    texts: () => server.requests.flatMap(({ body }) => body.input as readonly string[]),
  }
}
