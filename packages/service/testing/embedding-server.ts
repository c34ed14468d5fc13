/**
 * An OpenAI-compatible `/v1/embeddings` on loopback. Its vectors know what a few words mean: texts about
 * one thing are near, whatever words they use.
 */
import type { ModelServer } from './model-server.ts'
import { startModelServer } from './model-server.ts'

/** Each line is one thing. */
const THINGS = [
  /water|hose|thirsty|irrigat|dripping/gi,
  /soil|compost|earth|humus/gi,
  /vault|safe combination|strongbox/gi,
  /prune|pruning|secateurs|trim/gi,
]

/** What it has a vector for: the things of a text, and its length as a little noise. */
function meaningOf(text: string): readonly number[] {
  const counts = THINGS.map((thing) => text.match(thing)?.length ?? 0)
  return [...counts, 0.05, (text.length % 7) / 100]
}

export type EmbeddingServer = ModelServer & {
  /** All texts that were sent since `answer` was called. */
  readonly texts: () => readonly string[]
  /** Answers from now on, each request after a while. */
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
