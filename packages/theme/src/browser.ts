/** What scripts of pages share with the pages themselves: nothing here renders HTML. */
export { fragmentBucket } from './api/fragment-bucket.ts'
export { PARAMETER_PLACES } from './api/parameter-places.ts'
export type { PlaygroundWords } from './api/playground-words.ts'
export type { AssistantWords } from './assistant-words.ts'
export { bareId, withoutAlternatives } from './bare-id.ts'
export type { FeedbackWords } from './feedback-text.ts'
export { fillWords } from './fill-words.ts'
