import type { InterfaceText } from './interface-text.ts'

/** Texts of links that a service adds to private sites. */
export type ReaderWords = Pick<InterfaceText, 'signIn' | 'signOut'>

export const readerWords = ({ signIn, signOut }: InterfaceText): ReaderWords => ({
  signIn,
  signOut,
})
