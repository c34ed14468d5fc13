/** The filter and order of the list of gaps, as in the page's address. */
import { GAP_SORTS, GAP_STATES } from '@octavo/contract'
import { type Form, formValue } from '../../visit/screen.ts'

export const GAP_DAYS = ['30', '90'] as const
const FILTERS = ['state', 'sort', 'min', 'days', 'noise', 'q', 'cursor'] as const

export type GapFilter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>

/** Reads only the known fields of a query, so that addresses contain no other fields. */
export function readGapFilter(query: Form): GapFilter {
  const filter: Partial<Record<string, string>> = {}
  for (const name of FILTERS) filter[name] = formValue(query, name) || undefined
  const { state, sort = '', noise, days, ...rest } = filter
  return {
    ...rest,
    state: GAP_STATES.find((one) => one === state),
    sort: GAP_SORTS.find((one) => one === sort) ?? '-questions',
    days: GAP_DAYS.find((one) => one === days),
    noise: noise === 'only' ? noise : undefined,
  } as GapFilter
}
