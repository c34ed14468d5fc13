/**
 * Commands that import and export conversations directly in the database, without an API key or
 * HTTP.
 */
import { open, rename } from 'node:fs/promises'
import { readConversations } from '../../answers/conversations/read-conversations.ts'
import { ConversationStore, type PageWindow, windowOf } from '../../answers/conversations/store.ts'
import { writeAudit } from '../../platform/audit/store.ts'
import {
  type CommandTable,
  type Lines,
  ofProject,
  type ProjectInput,
  required,
  UsageError,
} from './arguments.ts'

const PAGE_ROWS = 1_000
/** The file mode of exports, since readers' questions are private. */
const OWNER_ONLY = 0o600

export const CONVERSATION_COMMANDS: CommandTable = {
  'conversations import': ofProject(importConversations),
  'conversations export': ofProject(exportConversations),
}

/** `conversations import`: skips existing conversations, so it can be repeated. */
async function* importConversations({ project, words, now }: ProjectInput): Lines {
  const { database } = project
  const file = required(words[1], 'file')
  const conversations = new ConversationStore(database)
  await sealSequenceNow(conversations, now())
  let readCount = 0
  let madeCount = 0
  for await (const batch of readConversations(file)) {
    readCount += batch.length
    const { backfilled, problem } = await conversations.importBatch(batch)
    if (problem !== null) throw new Error(problem)
    madeCount += backfilled
  }
  const after = { count: madeCount }
  await writeAudit(database, { actor: 'operator', action: 'conversations.import', after })
  const rest = readCount - madeCount
  const known = rest === 0 ? '' : ` ${rest} already existed.`
  yield `Imported ${printCount(madeCount)}.${known}`
}

function printCount(count: number): string {
  return count === 1 ? '1 conversation' : `${count} conversations`
}

/**
 * Moves the project's newest id to now by reading an empty window that ends now. Imported history
 * has to come before the newest id, which a new project does not have yet.
 */
async function sealSequenceNow(conversations: ConversationStore, nowMs: number): Promise<void> {
  const window = windowOf({ fromMs: nowMs, toMs: nowMs, cursor: undefined, nowMs })
  await conversations.page(window, 1)
}

/** `conversations export`: exports all conversations up to now, oldest first. */
async function* exportConversations({ project, options, now }: ProjectInput): Lines {
  const { database } = project
  const file = required(options.output, 'output file (-o)')
  if (!file.endsWith('.ndjson'))
    throw new UsageError('Invalid -o: expected a file name that ends in .ndjson.')
  const times = { fromMs: undefined, toMs: undefined, cursor: undefined, nowMs: now() }
  const conversations = new ConversationStore(database)
  const part = await open(`${file}.part`, 'w', OWNER_ONLY)
  let count = 0
  try {
    for await (const rows of readPages(conversations, windowOf(times))) {
      await part.appendFile(`${rows}\n`)
      count += rows.split('\n').length
    }
    await part.sync()
  } finally {
    await part.close()
  }
  await rename(`${file}.part`, file)
  await writeAudit(database, {
    actor: 'operator',
    action: 'conversations.export',
    after: { count },
  })
  yield `Exported ${printCount(count)} to ${file}.`
}

/** Yields all rows of a window page by page, one row per line. */
async function* readPages(
  conversations: ConversationStore,
  window: PageWindow,
): AsyncGenerator<string> {
  let after: string | undefined = window.after
  while (after !== undefined) {
    const page = await conversations.page({ ...window, after }, PAGE_ROWS, '\n')
    if (page.count > 0) yield page.rows
    after = page.hasMore ? page.lastId : undefined
  }
}
