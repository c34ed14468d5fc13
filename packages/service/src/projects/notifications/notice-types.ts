import type { NoticeKind } from '@octavo/contract'
import { assistantBudget } from './assistant-budget.ts'
import { buildFailed } from './build-failed.ts'
import { domainLost } from './domain-lost.ts'
import { keyExpiring } from './key-expiring.ts'
import type { NoticeType } from './notice-type.ts'

/**
 * All kinds of notifications. A new kind needs a file, a name in the contract, and a part of
 * `find_notice_work`.
 */
export const NOTICE_TYPES: Readonly<Record<NoticeKind, NoticeType>> = {
  'build.failed': buildFailed,
  'assistant.budget': assistantBudget,
  'key.expiring': keyExpiring,
  'domain.lost': domainLost,
}
