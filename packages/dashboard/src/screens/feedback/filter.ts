/**
 * The tab, filters and page of the list of comments. Every link and form contains them, so that
 * people return to the same list.
 */
import { FEEDBACK_SOURCES, type FEEDBACK_STATES, type Feedback } from '@octavo/contract'
import { apiPaths, type Query, withQuery } from '../../visit/api-paths.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'

type Status = (typeof FEEDBACK_STATES)[number]

/** The tabs of the screen, each with the API states that it shows. */
export const TABS = [
  { id: 'open', label: 'Open', statuses: ['pending'] },
  { id: 'in_progress', label: 'In progress', statuses: ['in_progress'] },
  { id: 'done', label: 'Done', statuses: ['resolved', 'dismissed'] },
] as const satisfies readonly {
  readonly id: string
  readonly label: string
  readonly statuses: readonly Status[]
}[]
type Tab = (typeof TABS)[number]

/** A date before the first feedback of any service, so that all feedback is listed. */
const SINCE = '2020-01-01'
const TEXT_LENGTH_MAX = 200

export type Place = {
  readonly tab: Tab
  readonly text: string | undefined
  readonly vote: 'helpful' | 'unhelpful' | undefined
  readonly source: Feedback['source'] | undefined
  readonly cursor: string | undefined
}

export function readPlace(values: URLSearchParams): Place {
  const vote = values.get('vote')
  return {
    tab: TABS.find(({ id }) => id === values.get('state')) ?? TABS[0],
    text: formValue(values, 'text').slice(0, TEXT_LENGTH_MAX) || undefined,
    vote: vote === 'helpful' || vote === 'unhelpful' ? vote : undefined,
    source: FEEDBACK_SOURCES.find((one) => one === values.get('source')),
    cursor: formValue(values, 'cursor') || undefined,
  }
}

export const placeQuery = ({ tab, ...rest }: Place): Query => ({
  ...(tab.id !== 'open' && { state: tab.id }),
  ...rest,
})

export const listAddress = ({ path }: ProjectScreen, place: Place): string =>
  withQuery(path('feedback'), placeQuery(place))

/** Returns the API path of the feedback with a comment or code, without plain votes. */
export const commentsPath = (
  { project }: ProjectScreen,
  { tab, text, vote, source, cursor }: Place,
): string =>
  apiPaths.analytics(project.id, '/feedback', {
    dateFrom: SINCE,
    commented: 'true',
    status: tab.statuses.join(','),
    text,
    ...(vote !== undefined && { helpful: String(vote === 'helpful') }),
    source,
    cursor,
  })
