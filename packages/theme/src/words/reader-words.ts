import type { InterfaceText } from './interface-text.ts'

/** The text of links that the hosting service adds to private sites. */
export type ReaderWords = Pick<InterfaceText, 'signIn' | 'signOut'>

export const readerWords = ({ signIn, signOut }: InterfaceText): ReaderWords => ({
  signIn,
  signOut,
})
