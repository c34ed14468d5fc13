import { randomBytes } from 'node:crypto'

const LABEL_LENGTH_MAX = 63
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
/** The number of random letters. Each has five bits, so a name cannot be guessed. */
const RANDOM_SUFFIX_LENGTH = 20

/** Creates the host name label of a preview: a readable part and 100 random bits. */
export function createPreviewName(slug: string, branch: string): string {
  const readable = `${slug}-${branch}`
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, LABEL_LENGTH_MAX - RANDOM_SUFFIX_LENGTH - 1)
    .replace(/-$/, '')
  // 256 is a multiple of 32, so every letter is equally likely.
  const chance = [...randomBytes(RANDOM_SUFFIX_LENGTH)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  )
  return `${readable}-${chance.join('')}`
}
