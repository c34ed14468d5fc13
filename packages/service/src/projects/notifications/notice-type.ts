/** What a kind of notice is: how it is found, and what it says. */

import type { NoticeKind } from '@octavo/contract'
import type { z } from 'zod'
import type { NoticeStore } from './store.ts'

export type DueNotice<Facts = unknown> = {
  /** Of two notices of a kind and a subject the second is not sent. */
  readonly subject: string
  readonly facts: Facts
}

export type NoticeText = {
  /** One line without a full stop. */
  readonly title: string
  readonly text: string
  readonly advice: string
  /** Of the page of the dashboard, below the project. */
  readonly path: string
}

/** Of projects that have set none. */
export type ServiceBudget = {
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
}

export type NoticeType = {
  readonly kind: NoticeKind
  /** Another job tells the webhook of it. */
  readonly hasOwnWebhook: boolean
  /** What is due for the project of the store and was not noted yet. */
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
