import { describe, expect, test } from 'vitest'
import { type AnswerPart, readParts } from './read-parts.ts'

const PARTS = [
  { type: 'text-delta', id: 'text', delta: 'Grüße, 水 🌱' },
  { type: 'data-step', data: { tool: 'read', of: '/water' } },
  { type: 'source-url', url: '/water', title: 'Water' },
  { type: 'data-outcome', data: { status: 'answered', nearest: [] } },
]
const event = (part: unknown) => `data: ${JSON.stringify(part)}\n\n`

async function read(text: string, size = text.length): Promise<readonly AnswerPart[]> {
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  const parts: AnswerPart[] = []
  await readParts(stream, (part) => parts.push(part))
  return parts
}

describe('answer stream', () => {
  const text = `${event({ type: 'start' })}${PARTS.map(event).join('')}data: [DONE]\n\n`

  test.each([1, 2, 3, 7, 64, 10_000])(
    'an answer stream can be read in chunks of %d bytes',
    async (size) => {
      expect(await read(text, size)).toEqual(PARTS)
    },
  )

  test('an answer stream may have CRLF, comments and unknown event types', async () => {
    const strange = `:\r\n\r\n${event({ type: 'data-new', data: 1 })}${text}`
    expect(await read(strange.replaceAll(/\r?\n/g, '\r\n'), 5)).toEqual(PARTS)
  })

  test('malformed events in an answer stream are skipped', async () => {
    const broken = `data: {"type":"text-\n\ndata: null\n\ndata: 1\n\n${text.slice(0, -8)}`
    expect(await read(broken)).toEqual(PARTS)
  })

  test('an answer stream with an event that never ends is rejected', async () => {
    await expect(read(`data: ${'a'.repeat(1_100_000)}`, 100_000)).rejects.toThrow('too long')
  })
})
