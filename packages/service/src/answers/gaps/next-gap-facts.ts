/** Determines the next state of a gap after its questions were asked again. */
import type { GapVerdict } from './ask-again.ts'
import type { Gap, GapFacts } from './store.ts'

/** The result of asking the questions of a gap again in one deployment. */
export type AskedGap = {
  readonly gap: Gap
  readonly verdict: GapVerdict
  /** True if the section that closed the gap is still in the deployment. */
  readonly hasSection: boolean
}

export const isClosed = ({ state }: Pick<Gap, 'state'>) =>
  state === 'likely' || state === 'verified'

/**
 * Returns true if a closed gap has lost its answer: no section answers it, or only one that did not
 * close it. A gap that the owner has verified without a section never loses its answer.
 */
export function isAnswerLost({ gap, verdict, hasSection }: AskedGap): boolean {
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

/** Returns the new facts of a gap after its questions were asked in the live deployment. */
export function nextGapFacts(asked: AskedGap, deploymentId: string): GapFacts {
  const { gap, verdict } = asked
  const checked = { ...gap, checkedIn: deploymentId }
  if (isClosed(gap) && !isAnswerLost(asked)) {
    // The section may be at another address now.
    const isSame = verdict.kind !== 'unanswered' && verdict.section.sha256 === gap.sectionSha256
    return isSame ? { ...checked, sectionUrl: verdict.section.url } : checked
  }
  if (verdict.kind !== 'likely') return reopenGap(checked, deploymentId)
  return {
    ...checked,
    state: 'likely',
    closedIn: deploymentId,
    sectionUrl: verdict.section.url,
    sectionSha256: verdict.section.sha256,
    verifiedBy: null,
  }
}

/** Reopens a gap. Its state becomes `linked` if the owner has linked a page, or else `open`. */
export function reopenGap(facts: GapFacts, deploymentId: string | null): GapFacts {
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
