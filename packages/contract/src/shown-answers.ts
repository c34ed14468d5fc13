/** API schemas for the excerpts that readers see for an author's questions. */
import { z } from 'zod'

/** The limits of a site's question file apply to each question. */
const LIMITS = { questions: 20, textLength: 2_000, entries: 20 } as const

const text = z
  .string()
  .min(1)
  .max(LIMITS.textLength)
  .refine((one) => one.isWellFormed(), { error: 'Expected well-formed text.' })
const texts = z.array(text).max(LIMITS.entries)

const AskedQuestion = z.strictObject({
  question: text.meta({ examples: ['How often do I water a cactus?'] }),
  pages: texts.meta({
    description: 'The pages that answer the question; empty if none does.',
    examples: [['/cactus']],
  }),
  passages: texts.meta({
    description: 'Passages of these pages, each of which answers the question.',
    examples: [['every three weeks']],
  }),
})

export const ShownAnswersBody = z.strictObject({
  questions: z.array(AskedQuestion).min(1).max(LIMITS.questions),
})
export type ShownAnswersBody = z.infer<typeof ShownAnswersBody>

const ShownAnswer = z.strictObject({
  question: z.string(),
  status: z.enum(['answered', 'unanswered']),
  isShown: z.boolean().optional().meta({
    description: 'Whether readers see the answer. Absent for a question without an answer.',
  }),
  isNear: z.boolean().optional().meta({
    description: 'Whether the answer is shown or is in one of the next excerpts.',
  }),
  isWritten: z.boolean().optional().meta({
    description: 'Whether the pages contain one of the passages. Absent without passages.',
  }),
  matches: z
    .array(z.strictObject({ title: z.string(), url: z.string(), text: z.string() }))
    .meta({ description: 'The excerpts that readers see, best first.' }),
})

export const ShownAnswersReply = z.strictObject({ answers: z.array(ShownAnswer) })
export type ShownAnswersReply = z.infer<typeof ShownAnswersReply>
