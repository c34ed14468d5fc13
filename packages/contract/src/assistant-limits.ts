/** Limits for input from readers and models. */
export const ASSISTANT_LIMITS = {
  bodyBytes: 512 * 1024,
  /** The maximum number of messages in a request. Only the last ones are used as history. */
  messages: 200,
  partsOfMessage: 1_000,
  historyMessages: 10,
  historyTextLength: 8_000,
  questionLength: 4_000,
  selectionLength: 4_000,
  pageLength: 2_000,
  noteLength: 1_000,
  /** The maximum length of an answer in characters. */
  answerLength: 32_000,
  answerMs: 120_000,
  /**
   * The maximum number of concurrent answers per process. A project gets at most half of those that
   * other projects do not use.
   */
  answersAtOnce: 500,
  ticketMs: 30 * 60_000,
  questionsPerTicket: 20,
  ticketsPerHourOfAddress: 60,
  questionsPerHourOfAddress: 120,
  questionsPerHourOfProject: 3_600,
  feedbackPerHourOfAddress: 60,
} as const

/** How often a lease is renewed while an answer streams. A lease lasts 30 s (`begin_question`). */
export const SAVE_EVERY_MS = 2_000
export const LEASE_MS = 30_000
