import { type Diagnostic, SourceText } from '@octavo/model'
import type { Page, PageParser } from '../src/parse-page.ts'

export type FixedPage = {
  readonly text: string
  readonly page: Page
  /** The number of fixes that would still change the text. */
  readonly left: number
}

/** A fix can contain others, which are applied in the next round. */
const ROUNDS = 3

/** Applies the fixes of a page, as `octavo check --fix` does, until no fix is left. */
export function applyPageFixes(parse: PageParser, file: string, text: string): FixedPage {
  let fixed = text
  let page = parse(file, fixed)
  for (let round = 0; round < ROUNDS; round += 1) {
    fixed = applyOnce(fixed, fixesOf(page, file))
    page = parse(file, fixed)
  }
  return { text: fixed, page, left: fixesOf(page, file).length }
}

function fixesOf({ diagnostics }: Page, file: string): readonly Diagnostic[] {
  return diagnostics.filter(({ fix, place }) => fix !== undefined && place.file === file)
}

function applyOnce(text: string, diagnostics: readonly Diagnostic[]): string {
  const source = new SourceText('page', text)
  let result = ''
  let from = 0
  for (const { place, fix } of diagnostics) {
    const start = source.offset(place)
    if (fix === undefined || start < from || !text.startsWith(fix.find, start)) continue
    result += text.slice(from, start) + fix.put
    from = start + fix.find.length
  }
  return result + text.slice(from)
}
