/** The words, icons and colors of states. A state is never shown by color alone. */
import type { Build, Deployment, Feedback, Gap, ListedProject } from '@octavo/contract'
import { type Html, html } from './html.ts'
import { type IconName, icon } from './icon.ts'

type Tone = 'good' | 'busy' | 'bad' | 'warning' | 'held' | 'off'

export type State = {
  readonly word: string
  readonly tone: Tone
  readonly sign: IconName | 'ring' | 'busy'
}

export function stateTag(state: State, isPill = false): Html {
  const { tone, word } = state
  return html`<span class="state is-${tone}${isPill ? ' pill' : ''}">${stateSign(state)}${word}</span>`
}

export const stateSign = ({ sign }: State): Html =>
  sign === 'ring' || sign === 'busy' ? html`<span class="dot ${sign}"></span>` : icon(sign)

export const GOOD = (word: string): State => ({ word, tone: 'good', sign: 'check-circle' })
export const BAD = (word: string): State => ({ word, tone: 'bad', sign: 'x-circle' })
export const WARNING = (word: string): State => ({ word, tone: 'warning', sign: 'warning' })
export const OFF = (word: string): State => ({ word, tone: 'off', sign: 'minus-circle' })

export function deploymentState({ state, target }: Pick<Deployment, 'state' | 'target'>): State {
  switch (state) {
    case 'uploading':
      return { word: 'Uploading', tone: 'busy', sign: 'busy' }
    case 'ready':
      return target === 'preview'
        ? { word: 'Preview', tone: 'held', sign: 'eye' }
        : { word: 'Ready', tone: 'held', sign: 'pause-circle' }
    case 'live':
      return GOOD('Live')
    case 'superseded':
      return OFF('Superseded')
    case 'failed':
      return BAD('Failed')
    case 'cancelled':
      return { word: 'Canceled', tone: 'off', sign: 'ban' }
    case 'expired':
      return { word: 'Expired', tone: 'off', sign: 'minus-circle' }
    case 'removed':
      return BAD('Removed')
  }
}

export const PROJECT_STATE: Readonly<Record<ListedProject['state'], State>> = {
  failed: BAD('Build failed'),
  suspended: { word: 'Suspended', tone: 'bad', sign: 'ban' },
  building: { word: 'Building', tone: 'busy', sign: 'busy' },
  locked: { word: 'Locked', tone: 'held', sign: 'lock' },
  offline: { word: 'Not live', tone: 'warning', sign: 'warning' },
  live: GOOD('Live'),
  never: { word: 'Never deployed', tone: 'off', sign: 'ring' },
  archived: OFF('Archived'),
}

export function buildState({ state }: Build): State {
  switch (state) {
    case 'queued':
      return { word: 'Queued', tone: 'off', sign: 'ring' }
    case 'fetching':
      return { word: 'Fetching', tone: 'busy', sign: 'busy' }
    case 'building':
      return { word: 'Building', tone: 'busy', sign: 'busy' }
    case 'uploading':
      return { word: 'Uploading', tone: 'busy', sign: 'busy' }
    case 'finished':
      return GOOD('Finished')
    case 'failed':
      return BAD('Failed')
    case 'skipped':
      return { word: 'Skipped', tone: 'off', sign: 'ban' }
    case 'superseded':
      return OFF('Superseded')
    case 'cancelled':
      return { word: 'Canceled', tone: 'off', sign: 'ban' }
  }
}

/** Checks whether a build is queued or running. */
export const isRunning = ({ state }: Build) =>
  state === 'queued' || state === 'fetching' || state === 'building' || state === 'uploading'

export const resolutionState = (status: 'answered' | 'unanswered'): State =>
  status === 'answered'
    ? GOOD('Answered')
    : { word: 'Unanswered', tone: 'warning', sign: 'alert-circle' }

export const feedbackState = (feedback: 'helpful' | 'unhelpful'): State =>
  feedback === 'helpful'
    ? { word: 'Helpful', tone: 'good', sign: 'thumbs-up' }
    : { word: 'Not helpful', tone: 'warning', sign: 'thumbs-down' }

/** Returns the state of feedback on a page. */
export function inboxState(status: Feedback['status']): State {
  switch (status) {
    case 'pending':
      return { word: 'Open', tone: 'warning', sign: 'alert-circle' }
    case 'in_progress':
      return { word: 'In progress', tone: 'busy', sign: 'dashed' }
    case 'resolved':
      return GOOD('Done')
    case 'dismissed':
      return OFF('Dismissed')
  }
}

export function gapState({ state }: Gap): State {
  switch (state) {
    case 'open':
      return { word: 'Open', tone: 'warning', sign: 'alert-circle' }
    case 'linked':
      return { word: 'Page linked', tone: 'held', sign: 'link' }
    case 'likely':
      return { word: 'Likely closed', tone: 'busy', sign: 'dashed' }
    case 'verified':
      return GOOD('Verified')
    case 'dismissed':
      return OFF('Not a gap')
  }
}
