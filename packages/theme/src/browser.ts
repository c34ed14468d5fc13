/** Code that the page scripts share with the theme. None of it renders HTML. */
export { fragmentBucket } from './api/fragment-bucket.ts'
export { PARAMETER_PLACES } from './api/parameter-places.ts'
export type { PlaygroundWords } from './api/playground-words.ts'
export { bareId, withoutAlternatives } from './bare-id.ts'
export type { AssistantWords } from './words/assistant-words.ts'
export type { FeedbackWords } from './words/feedback-text.ts'
export { fillWords } from './words/fill-words.ts'
