import type { InterfaceText } from './interface-text.ts'

/** English text of the feedback form on hosted sites. */
export const FEEDBACK_TEXT = {
  feedbackHelpful: 'Was this page helpful?',
  feedbackYes: 'Yes',
  feedbackNo: 'No',
  feedbackLiked: 'What did you like? (optional)',
  feedbackBetter: 'What could be better? (optional)',
  feedbackContact: 'Email address, if you want a reply (optional)',
  feedbackCode: 'Report a problem with this code',
  feedbackFailed: 'Your feedback could not be sent. Try again later.',
} as const

export type FeedbackText = Readonly<Record<keyof typeof FEEDBACK_TEXT, string>>

/**
 * The text of the feedback form. The script that shows the form contains it in the page's language.
 */
export type FeedbackWords = FeedbackText &
  Pick<InterfaceText, 'trySend' | 'tryCancel' | 'close' | 'askThanks'>

export function feedbackWords(text: InterfaceText): FeedbackWords {
  const { trySend, tryCancel, close, askThanks } = text
  const names = Object.keys(FEEDBACK_TEXT) as readonly (keyof FeedbackText)[]
  const own = Object.fromEntries(names.map((name) => [name, text[name]])) as FeedbackText
  return { ...own, trySend, tryCancel, close, askThanks }
}
