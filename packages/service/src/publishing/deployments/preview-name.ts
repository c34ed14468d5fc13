import { randomBytes } from 'node:crypto'

const LABEL_LENGTH_MAX = 63
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** Five bits each: who does not know a name does not find it. */
const CHANCE_LENGTH = 20

/** The label of the host of a preview: what a person recognizes it by, and 100 bits of chance. */
export function createPreviewName(slug: string, branch: string): string {
  const readable = `${slug}-${branch}`
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, LABEL_LENGTH_MAX - CHANCE_LENGTH - 1)
    .replace(/-$/, '')
  // 256 is a multiple of 32, so every letter is as likely.
  const chance = [...randomBytes(CHANCE_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length])
  return `${readable}-${chance.join('')}`
}
