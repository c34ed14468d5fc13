import { z } from 'zod'
import { defineNotice } from './notice-type.ts'

const Facts = z.object({
  period: z.enum(['day', 'month']),
  /** The day or month of the budget, in UTC. */
  of: z.string(),
  used: z.number(),
  max: z.number(),
})

/** Sent when the tokens of the day or month have reached 80 % of the budget (`is_budget_near`). */
export const assistantBudget = defineNotice(Facts, {
  kind: 'assistant.budget',

  async find(store, budget) {
    if (!(await store.hasBudgetWork())) return []
    const periods = await store.nearBudgets(budget)
    // Answers in progress may still reach the budget, so the next round has to check it again.
    if (periods.every(({ isReached }) => isReached)) await store.endBudgetWork()
    return periods
      .filter(({ isReached }) => isReached)
      .map(({ period, of, used, max }) => ({ subject: of, facts: { period, of, used, max } }))
  },

  describe({ period, of, used, max }) {
    const percent = Math.floor((used / max) * 100)
    return {
      title: `The assistant has used ${percent} % of its tokens for ${of}`,
      text: `The assistant has used ${count(used)} of ${count(max)} tokens for ${of} (UTC). That is ${percent} % of the budget for the ${period}.`,
      advice: `Once the budget is used up, no model is used until the ${period} ends, and readers get quotations from your pages instead of written answers. To avoid that, raise the budget.`,
      path: 'assistant',
    }
  },
})

const count = (tokens: number) => tokens.toLocaleString('en')
