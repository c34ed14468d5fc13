import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkNesting, type SourceProblem } from './check-nesting.ts'

/** Texts up to this size are not checked at all, since the parser can handle any of them. */
const HARMLESS_SIZE = 3_000
/**
 * In texts up to this size, only nesting is checked, since the parser takes a fraction of a second
 * at most.
 */
const QUICK_SIZE = 16_384

/** Returns the first limit that the text exceeds, or undefined. Does not parse the text. */
export function checkSource(text: string, format: 'mdx' | 'md' | 'jsx'): SourceProblem | undefined {
  if (text.length > LIMITS.pageSizeMax) {
    const size = formatCount(text.length)
    const message = `It has ${size} characters; the limit is ${formatCount(LIMITS.pageSizeMax)}.`
    return { offset: 0, message }
  }
  if (text.length < HARMLESS_SIZE) return undefined
  const nesting = format === 'md' ? undefined : checkNesting(text, format === 'jsx')
  if (nesting !== undefined || format === 'jsx' || text.length < QUICK_SIZE) return nesting
  return checkBlocks(text, format)
}
