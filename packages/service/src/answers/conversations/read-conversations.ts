import { createReadStream } from 'node:fs'
import { Conversation, ImportedConversation } from '@octavo/contract'
import { parseInstant } from '../../platform/http/instant.ts'
import type { TimedTurn } from './store.ts'

const BATCH_ROWS = 500
/**
 * The maximum length of the lines in a batch. Long answers make batches smaller, so that none
 * exceeds the statement timeout.
 */
const BATCH_LENGTH = 4_000_000
/** Longer than the longest question and answer if every character is escaped. */
const LINE_LENGTH_MAX = 16_000_000

/**
 * Yields the conversations of an export file in batches. Each batch fits into one SQL statement.
 */
export async function* readConversations(file: string): AsyncGenerator<readonly TimedTurn[]> {
  let batch: TimedTurn[] = []
  let length = 0
  let number = 0
  for await (const line of splitLines(createReadStream(file), file)) {
    number += 1
    if (line.trim() === '') continue
    const place = `${file}, line ${number}`
    batch.push(parseConversation(parseJson(line, place), place))
    length += line.length
    if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

/** Splits text at newlines only. `readline` would also split it at U+2028. */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<string> {
  const decode = createDecoder(file)
  // The parts are joined once per line, because a line may consist of hundreds of them.
  let parts: string[] = []
  let length = 0
  for await (const bytes of pieces) {
    const [end = '', ...lines] = decode(bytes).split('\n')
    parts.push(end)
    length += end.length
    if (length > LINE_LENGTH_MAX)
      throw new Error(`${file} has a line of more than ${LINE_LENGTH_MAX} characters.`)
    for (const line of lines) {
      yield parts.join('')
      parts = [line]
      length = line.length
    }
  }
  yield parts.join('') + decode()
}

/**
 * Creates a decoder that rejects invalid UTF-8. Replacement characters would lose data silently.
 */
function createDecoder(file: string): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (bytes) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new Error(`${file} is not valid UTF-8.`)
    }
  }
}

/**
 * Parses an exported conversation. Its id becomes the question id, so that importing the file again
 * adds nothing.
 */
export function parseConversation(value: unknown, place: string): TimedTurn {
  const row = Conversation.safeParse(value)
  if (!row.success) throw invalidLine(place, row.error.issues)
  const { id, ...rest } = row.data
  const turn = ImportedConversation.safeParse({ questionId: id, ...rest })
  if (!turn.success) throw invalidLine(place, turn.error.issues)
  const atMs = parseInstant(rest.timestamp)
  if (atMs === undefined)
    throw new Error(`${place}: timestamp: Expected a timestamp such as 2026-01-31T12:00:00Z.`)
  return { ...turn.data, atMs }
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`${place}: Expected a JSON object.`)
  }
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

function invalidLine(place: string, [issue]: readonly Issue[]): Error {
  const field = issue?.path.map(String).join('.') ?? ''
  return new Error(`${place}: ${field === '' ? '' : `${field}: `}${issue?.message}`)
}
