import type { AssistantWords } from '@octavo/theme/browser'

/** Written before the panel by the service, in the language of the page. */
declare const ASSISTANT_WORDS: AssistantWords

export const words: AssistantWords = ASSISTANT_WORDS
