import { randomInt } from 'node:crypto'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 16

/** Creates a public id that cannot be guessed: the prefix, such as `prj_`, and 83 random bits. */
export function createPublicId(prefix: 'org' | 'prj' | 'usr' | 'rtk'): string {
  let id = `${prefix}_`
  for (let count = 0; count < LENGTH; count += 1) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
