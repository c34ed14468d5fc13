import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkNesting, type SourceProblem } from './check-nesting.ts'

/** The parser handles any text of this size. */
const HARMLESS_SIZE = 3_000
/** The parser takes only a fraction of a second for any text of this size. */
const QUICK_SIZE = 16_384

/** Returns the first violation of a limit, found before the text is parsed; or undefined. */
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
