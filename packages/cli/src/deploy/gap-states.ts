import type { Gap } from '@octavo/contract'

export const GAP_STATES = [
  'open',
  'linked',
  'likely',
  'verified',
  'dismissed',
] as const satisfies readonly Gap['state'][]
export type GapState = (typeof GAP_STATES)[number]
