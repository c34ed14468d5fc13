/** The code that a person reads in the terminal and enters in the browser. */
import { randomInt } from 'node:crypto'

/**
 * Only consonants, so that codes form no words. A code of 8 letters has 35 bits, which is enough
 * for 10 minutes.
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

export function createUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`
}

/** Normalizes a typed code; undefined if it has the wrong length. */
export function readUserCode(typed: string | null): string | undefined {
  const letters = (typed ?? '').toUpperCase().replaceAll(/[^A-Z]/g, '')
  if (letters.length !== LENGTH) return undefined
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
