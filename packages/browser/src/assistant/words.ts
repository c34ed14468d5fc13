import type { AssistantWords } from '@octavo/theme/browser'

/** Prepended to the panel's script by the service, in the page's language. */
declare const ASSISTANT_WORDS: AssistantWords

export const words: AssistantWords = ASSISTANT_WORDS
