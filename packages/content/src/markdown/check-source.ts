import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'
import { checkBlocks } from './check-blocks.ts'
import { checkNesting, type SourceProblem } from './check-nesting.ts'

/** The parser survives whatever a text of this size can hold. */
const HARMLESS = 3_000
/** The parser is done with a text of this size in a fraction of a second, whatever it holds. */
const QUICK = 16_384

/** The first thing in a text that is over a limit, found before the text is parsed; or nothing. */
export function checkSource(text: string, format: 'mdx' | 'md' | 'jsx'): SourceProblem | undefined {
  if (text.length > LIMITS.pageSizeMax) {
    const size = formatCount(text.length)
    const message = `It has ${size} characters; the limit is ${formatCount(LIMITS.pageSizeMax)}.`
    return { offset: 0, message }
  }
  if (text.length < HARMLESS) return undefined
  const nesting = format === 'md' ? undefined : checkNesting(text, format === 'jsx')
  if (nesting !== undefined || format === 'jsx' || text.length < QUICK) return nesting
  return checkBlocks(text, format)
}
