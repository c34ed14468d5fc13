/** The code that a person reads in the terminal and types in the browser. */
import { randomInt } from 'node:crypto'

/** Consonants, so that no words come out: 8 of 20 are 35 bits, which work for 10 minutes. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

export function createUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return `${letters.slice(0, LENGTH / 2).join('')}-${letters.slice(LENGTH / 2).join('')}`
}

/** As it is printed, however it was typed; nothing for what can be no code. */
export function readUserCode(typed: string | null): string | undefined {
  const letters = (typed ?? '').toUpperCase().replaceAll(/[^A-Z]/g, '')
  if (letters.length !== LENGTH) return undefined
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
