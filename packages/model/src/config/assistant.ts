/** The author's settings for the assistant. Its model and API key are settings of the service. */
import { flag, listOf, text } from '../schema/schema.ts'
import { optional, shape } from '../schema/shape.ts'

const L = {
  starterQuestions: 3,
  starterQuestionLength: 200,
  instructionsLength: 4_000,
  categories: 20,
  categoryLength: 50,
} as const

const shortText = (lengthMax: number) =>
  text({
    check: (value) =>
      value.length > lengthMax ? `is longer than ${lengthMax} characters` : undefined,
    hint: 'Write a shorter text.',
    json: { maxLength: lengthMax },
  })

export const assistant = shape({
  enabled: optional(flag, 'Readers can ask the assistant; `true` by default.'),
  starterQuestions: optional(
    listOf(shortText(L.starterQuestionLength), { max: L.starterQuestions }),
    'Up to three questions that readers can start with.',
  ),
  instructions: optional(
    shortText(L.instructionsLength),
    'What a model should know or do, such as the tone of its answers.',
  ),
  categories: optional(
    listOf(shortText(L.categoryLength), { min: 2, max: L.categories }),
    'Categories of questions that replace the default ones.',
  ),
})
