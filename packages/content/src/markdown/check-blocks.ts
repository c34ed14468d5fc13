/**
 * Rejects pages that would take too long to parse: the Markdown parser's time is quadratic in the
 * number of certain characters in a block and in the number of unclosed tags. Real pages are far
 * below the limits (at most 5,225 such characters in a block).
 */
import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'
import type { SourceProblem } from './check-nesting.ts'

/** The maximum number of characters to search for the end of a tag. */
const TAG_LENGTH_MAX = 10_000

const SIGNS = signTable()

function signTable(): Uint8Array {
  const table = new Uint8Array(65_536)
  for (const sign of '*_~`&{<[]$!') table[sign.charCodeAt(0)] = 1
  return table
}

/** Returns the first block, line or tag that exceeds a limit. */
export function checkBlocks(text: string, format: 'mdx' | 'md'): SourceProblem | undefined {
  let signs = 0
  let braces = 0
  let tags = 0
  let lineStart = 0
  let lineIsBlank = true
  let fence = { sign: 0, length: 0 }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // Fast path: nearly all characters are lower-case letters.
    if (code > 0x60 && code < 0x7b && !lineIsBlank) continue
    if (code === 0x0a) {
      if (lineIsBlank) {
        signs = 0
        braces = 0
      }
      lineStart = index + 1
      lineIsBlank = true
      continue
    }
    if (lineIsBlank) {
      if (code === 0x20 || code === 0x09 || code === 0x0d) continue
      lineIsBlank = false
      if (code === 0x60 || code === 0x7e) fence = nextFence(text, index, fence)
      const markers = countMarkers(text, index)
      if (markers > LIMITS.lineMarkersMax)
        return over(
          lineStart,
          'list or quote markers at the start of a line',
          LIMITS.lineMarkersMax,
        )
    }
    if (SIGNS[code] === 0) continue
    signs += 1
    if (signs > LIMITS.blockSignsMax)
      return over(lineStart, 'Markdown markers without a blank line', LIMITS.blockSignsMax)
    if (format === 'md') continue
    if (code === 0x7b) {
      braces += 1
      if (braces > LIMITS.blockBracesMax)
        return over(lineStart, 'braces without a blank line', LIMITS.blockBracesMax)
    }
    if (code === 0x3c && fence.length === 0) {
      tags = Math.max(0, tags + tagStep(text, index))
      if (tags > LIMITS.openTagsMax) return over(index, 'open tags at once', LIMITS.openTagsMax)
    }
  }
  return undefined
}

function over(offset: number, what: string, limit: number): SourceProblem {
  return { offset, message: `There are more than ${formatCount(limit)} ${what}.` }
}

type Fence = { readonly sign: number; readonly length: number }

/**
 * Returns the fence that is open after this line. A fence ends at one with the same character and
 * at least the same length.
 */
function nextFence(text: string, index: number, open: Fence): Fence {
  const sign = text.charCodeAt(index)
  let end = index
  while (text.charCodeAt(end) === sign) end += 1
  const length = end - index
  if (length < 3) return open
  if (open.length === 0) return { sign, length }
  return open.sign === sign && length >= open.length ? { sign: 0, length: 0 } : open
}

/**
 * Counts the quote and list markers at the start of a line. A list marker needs a space after it:
 * `---` is a rule, not three lists.
 */
function countMarkers(text: string, start: number): number {
  let count = 0
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x3e) count += 1
    else if (code === 0x2d || (code >= 0x29 && code <= 0x2b) || code === 0x2e) {
      const next = text.charCodeAt(index + 1)
      if (next === 0x20 || next === 0x09) count += 1
    } else if (code !== 0x20 && code !== 0x09 && (code < 0x30 || code > 0x39)) break
  }
  return count
}

/** Returns 1 for an opening tag, -1 for a closing one, and 0 for a self-closing one or no tag. */
function tagStep(text: string, index: number): number {
  const next = text.charCodeAt(index + 1)
  if (next === 0x2f) return -1
  const isLetter = (next >= 0x41 && next <= 0x5a) || (next >= 0x61 && next <= 0x7a)
  if (!isLetter) return 0
  const last = Math.min(text.length, index + TAG_LENGTH_MAX)
  for (let end = index; end < last; end += 1) {
    if (text.charCodeAt(end) === 0x3e) return text.charCodeAt(end - 1) === 0x2f ? 0 : 1
  }
  return 1
}
