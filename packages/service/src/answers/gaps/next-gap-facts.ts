/** What becomes of a gap when it is asked again. */
import type { GapVerdict } from './ask-again.ts'
import type { Gap, GapFacts } from './store.ts'

/** A gap as it was asked again in one deployment. */
export type AskedGap = {
  readonly gap: Gap
  readonly verdict: GapVerdict
  /** Whether the deployment has the section that closed the gap. */
  readonly hasSection: boolean
}

export const isClosed = ({ state }: Pick<Gap, 'state'>) =>
  state === 'likely' || state === 'verified'

/**
 * True if a gap that was closed is answered no more: by no section, or only by one that was no answer
 * before. What the owner verified without such a section is not taken back.
 */
export function isLost({ gap, verdict, hasSection }: AskedGap): boolean {
  if (!isClosed(gap) || gap.sectionUrl === null) return false
  switch (verdict.kind) {
    case 'unanswered':
      return true
    case 'unchanged':
      return !hasSection && verdict.section.sha256 !== gap.sectionSha256
    case 'likely':
      return false
  }
}

/** After it was asked in the live deployment. */
export function nextGapFacts(asked: AskedGap, deploymentId: string): GapFacts {
  const { gap, verdict } = asked
  const checked = { ...gap, checkedIn: deploymentId }
  if (isClosed(gap) && !isLost(asked)) {
    // The section has moved.
    const isSame = verdict.kind !== 'unanswered' && verdict.section.sha256 === gap.sectionSha256
    return isSame ? { ...checked, sectionUrl: verdict.section.url } : checked
  }
  if (verdict.kind !== 'likely') return openAgain(checked, deploymentId)
  return {
    ...checked,
    state: 'likely',
    closedIn: deploymentId,
    sectionUrl: verdict.section.url,
    sectionSha256: verdict.section.sha256,
    verifiedBy: null,
  }
}

/** Open, or linked if the owner named a page. */
export function openAgain(facts: GapFacts, deploymentId: string | null): GapFacts {
  return {
    ...facts,
    state: facts.linkedPage === null ? 'open' : 'linked',
    openIn: deploymentId,
    closedIn: null,
    sectionUrl: null,
    sectionSha256: null,
    verifiedBy: null,
  }
}
