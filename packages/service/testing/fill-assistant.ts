/** Adds rows to every table of the assistant, for tests of isolation between tenants. */
import { AssistantSettingsStore, NO_SETTINGS } from '../src/answers/assistant/settings-store.ts'
import {
  type NewTurn,
  type PublishedAnswer,
  TurnStore,
} from '../src/answers/assistant/turn-store.ts'
import { GapStore } from '../src/answers/gaps/store.ts'
import type { ProjectDatabase } from '../src/platform/database/database.ts'

export const LEASE = 'lease-of-both'

export const newTurn = (query: string | undefined, more: Partial<NewTurn> = {}): NewTurn => ({
  query,
  threadId: undefined,
  pageUrl: undefined,
  deploymentId: 'deployment',
  lease: LEASE,
  ticket: 'ticket',
  ticketMax: 1_000,
  projectMax: 1_000,
  tokens: 100,
  tokensPerDay: undefined,
  tokensPerMonth: undefined,
  ...more,
})

export const publishedAnswer = (response: string): PublishedAnswer => ({
  response,
  sources: [],
  status: 'answered',
  nearest: [],
  usedTokens: 10,
  savedTokens: 0,
  isCached: false,
})

export const unansweredAnswer = (response: string): PublishedAnswer => ({
  ...publishedAnswer(response),
  status: 'unanswered',
  reason: 'declared',
  nearest: [{ title: response, url: `https://example.com/${response}` }],
})

/**
 * Adds settings, a conversation with feedback, a gap, a question in progress, and a question in a
 * preview.
 */
export async function fillAssistant(database: ProjectDatabase, text = 'text') {
  const turns = new TurnStore(database)
  const settings = { ...NO_SETTINGS, asksInPreviews: true, model: { name: text } }
  await new AssistantSettingsStore(database).write(settings)
  const begin = async (query: string | undefined) => {
    const begun = await turns.begin(newTurn(query))
    return { id: begun.kind === 'begun' ? begun.id : '', lease: LEASE }
  }
  const conversation = (await turns.publish(await begin(text), publishedAnswer(text))) ?? ''
  await turns.addFeedback(conversation, { isHelpful: false, note: text })
  const unanswered = (await turns.publish(await begin(text), unansweredAnswer(text))) ?? ''
  const gaps = new GapStore(database)
  const gap = (await gaps.add({ id: unanswered, deploymentId: text }, undefined)) ?? ''
  await gaps.saveForecast('deployment', { openCount: 1, likelyIds: [gap], lostIds: [text] })
  const found = await gaps.findAll([gap])
  const facts = found.map((one) => ({ gap: one, facts: one }))
  const change = (await gaps.changeAll('reopen', facts)) ?? ''
  // An unanswered question that does not belong to a gap yet.
  await turns.publish(await begin(text), unansweredAnswer(text))
  const [open, preview] = [(await begin(text)).id, (await begin(undefined)).id]
  return { conversation, unanswered, gap, change, open, preview }
}
