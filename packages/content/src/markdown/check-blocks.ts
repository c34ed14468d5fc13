/**
 * Refuses pages that would take too long: the parser of Markdown is quadratic in some signs of one
 * block, and in tags that are never closed. Real pages stay far below (5,225 signs in a block).
 */
import { formatCount } from '@octavo/model'
import { CONTENT_LIMITS as LIMITS } from '../tree/content-limits.ts'
import type { SourceProblem } from './check-nesting.ts'

/** How far the end of a tag is looked for. */
const TAG_LENGTH_MAX = 10_000

const SIGNS = signTable()

function signTable(): Uint8Array {
  const table = new Uint8Array(65_536)
  for (const sign of '*_~`&{<[]$!') table[sign.charCodeAt(0)] = 1
  return table
}

/** The first block, line or tag that is over a limit. */
export function checkBlocks(text: string, format: 'mdx' | 'md'): SourceProblem | undefined {
  let signs = 0
  let braces = 0
  let tags = 0
  let lineStart = 0
  let lineIsBlank = true
  let fence = { sign: 0, length: 0 }
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // Nearly all characters are small letters.
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

/** The fence that is open behind this line: a fence is closed by one of its own sign and length. */
function nextFence(text: string, index: number, open: Fence): Fence {
  const sign = text.charCodeAt(index)
  let end = index
  while (text.charCodeAt(end) === sign) end += 1
  const length = end - index
  if (length < 3) return open
  if (open.length === 0) return { sign, length }
  return open.sign === sign && length >= open.length ? { sign: 0, length: 0 } : open
}

/** `>`, and `-`, `*`, `+`, `1.` or `1)` with a space behind it: `-----` is a ruler, not five lists. */
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

/** +1 for a tag that opens, -1 for one that closes, 0 for one that does both or is none. */
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
