import type { AssistantWords } from '@octavo/theme/browser'

/** The interface text in the page's language. The service prepends it to the panel's script. */
declare const ASSISTANT_WORDS: AssistantWords

export const words: AssistantWords = ASSISTANT_WORDS
