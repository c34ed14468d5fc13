/** Runs all operations on the gaps of one project; used by `two-tenants.ts`. */
import { type Gap, type GapFacts, GapStore } from '../src/answers/gaps/store.ts'
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import type { fillAssistant } from './fill-assistant.ts'

type Filled = Awaited<ReturnType<typeof fillAssistant>>

const OWN_GAP: GapFacts = {
  state: 'verified',
  linkedPage: 'own',
  openIn: null,
  checkedIn: 'own',
  closedIn: 'own',
  sectionUrl: null,
  sectionSha256: null,
  verifiedBy: 'owner',
  modelAskedIn: null,
}

const gapChangeOf = (id: string) => ({ gap: { id, state: 'open' } as Gap, facts: OWN_GAP })

export function gapOperations(
  database: ProjectDatabase,
  { own, other }: { readonly own: Filled; readonly other: Filled },
): readonly (() => Promise<unknown>)[] {
  const gaps = new GapStore(database)
  return [
    () => gaps.list({ limit: 100 }),
    () => gaps.list({ limit: 100, text: 'e' }),
    () => gaps.countOpen(),
    () => gaps.find(other.gap),
    () => gaps.forecast('deployment'),
    () => gaps.unsorted(100),
    () => gaps.answeredQuestions(),
    () => gaps.workSince().then((since) => since !== undefined),
    () => gaps.counts(),
    () => gaps.weeks([other.gap]),
    () => gaps.conversation(other.unanswered),
    () => gaps.findChange(other.change),
    () => gaps.undo(other.change),
    () => gaps.findChange(own.change),
    () => gaps.changeAll('verify', [gapChangeOf(other.gap), gapChangeOf(own.gap)]),
    () => gaps.change({ id: other.gap, state: 'open' }, OWN_GAP),
    () => gaps.change({ id: own.gap, state: 'open' }, OWN_GAP),
    () => gaps.add({ id: other.unanswered, deploymentId: 'own' }, own.gap),
    () => gaps.add({ id: own.unanswered, deploymentId: 'own' }, own.gap),
    () => gaps.add({ id: own.unanswered, deploymentId: 'own' }, other.gap),
    () => gaps.saveForecast('deployment', { openCount: 2, likelyIds: ['own'], lostIds: [] }),
    () => gaps.endWork('2100-01-01'),
    () => gaps.workSince(),
  ]
}
