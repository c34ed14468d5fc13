import type { InterfaceText } from './interface-text.ts'

/** The text next to request samples that `octavo test` has run. */
export type SampleWords = { readonly ran: string; readonly changed: string }

export const sampleWords = ({ sampleRan, sampleChanged }: InterfaceText): SampleWords => ({
  ran: sampleRan,
  changed: sampleChanged,
})
