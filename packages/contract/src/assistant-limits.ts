/** What comes from readers and models, and how much of it. */
export const ASSISTANT_LIMITS = {
  bodyBytes: 512 * 1024,
  /** Messages that a client sends; of these the last ones are history. */
  messages: 200,
  partsOfMessage: 1_000,
  historyMessages: 10,
  historyTextLength: 8_000,
  questionLength: 4_000,
  selectionLength: 4_000,
  pageLength: 2_000,
  noteLength: 1_000,
  /** Characters of an answer. */
  answerLength: 32_000,
  answerMs: 120_000,
  /** Answers that one process makes at the same time; a project gets at most half of those left. */
  answersAtOnce: 500,
  ticketMs: 30 * 60_000,
  questionsPerTicket: 20,
  ticketsPerHourOfAddress: 60,
  questionsPerHourOfAddress: 120,
  questionsPerHourOfProject: 3_600,
  feedbackPerHourOfAddress: 60,
} as const

/** A lease lasts 30 s (`begin_question`); while a stream works, it is renewed this often. */
export const SAVE_EVERY_MS = 2_000
export const LEASE_MS = 30_000
