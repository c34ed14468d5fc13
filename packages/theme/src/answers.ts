/**
 * Parses the assistant's answers into a tree with a fixed set of elements, for the panel of sites
 * and for the dashboard.
 */
export { type Block, parseAnswer, type SourcedBlock } from './answers/parse-answer.ts'
export type { Inline } from './answers/parse-inline.ts'
export { type SafeLink, type Site, safeLink } from './answers/safe-link.ts'
