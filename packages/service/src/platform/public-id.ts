import { randomInt } from 'node:crypto'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 16

/** A name that others see and cannot guess, such as `prj_` and 83 bits of chance. */
export function createPublicId(prefix: 'org' | 'prj' | 'usr' | 'rtk'): string {
  let id = `${prefix}_`
  for (let count = 0; count < LENGTH; count += 1) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
