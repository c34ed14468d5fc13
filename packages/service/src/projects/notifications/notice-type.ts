/** Defines a kind of notification: how due ones are found, and their text. */

import type { NoticeKind } from '@octavo/contract'
import type { z } from 'zod'
import type { NoticeStore } from './store.ts'

export type DueNotice<Facts = unknown> = {
  /** Only one notification is sent per kind and subject. */
  readonly subject: string
  readonly facts: Facts
}

export type NoticeText = {
  /** The title: one line without a period at the end. */
  readonly title: string
  readonly text: string
  readonly advice: string
  /** The path of the dashboard page, below the project. */
  readonly path: string
}

/** The service's budget for projects that have no budget of their own. */
export type ServiceBudget = {
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
}

export type NoticeType = {
  readonly kind: NoticeKind
  /** True if another job calls the webhook about these events. */
  readonly hasOwnWebhook: boolean
  /** Returns the notifications that are due and not stored yet. */
  readonly find: (store: NoticeStore, budget: ServiceBudget) => Promise<readonly DueNotice[]>
  readonly describe: (facts: unknown) => NoticeText
}

export function defineNotice<Facts>(
  facts: z.ZodType<Facts>,
  type: {
    readonly kind: NoticeKind
    readonly hasOwnWebhook?: boolean
    readonly find: (
      store: NoticeStore,
      budget: ServiceBudget,
    ) => Promise<readonly DueNotice<Facts>[]>
    readonly describe: (facts: Facts) => NoticeText
  },
): NoticeType {
  const { hasOwnWebhook = false, describe } = type
  return { ...type, hasOwnWebhook, describe: (stored) => describe(facts.parse(stored)) }
}
