import { type Diagnostic, fixText } from '@octavo/model'
import type { Page, PageParser } from '../src/parse-page.ts'

export type FixedPage = {
  readonly text: string
  readonly page: Page
  /** The number of remaining fixes that would still change the text. */
  readonly left: number
}

/** The maximum number of rounds: a fix can contain others, which are applied in the next round. */
const ROUNDS = 5

/** Applies the fixes of a page until no fix is left, as `octavo check --fix` does. */
export function applyPageFixes(parse: PageParser, file: string, text: string): FixedPage {
  let fixed = text
  let page = parse(file, fixed)
  for (let round = 0; round < ROUNDS; round += 1) {
    fixed = fixText(fixed, fixesOf(page, file)).text
    page = parse(file, fixed)
  }
  return { text: fixed, page, left: fixText(fixed, fixesOf(page, file)).count }
}

function fixesOf({ diagnostics }: Page, file: string): readonly Diagnostic[] {
  return diagnostics.filter(({ fix, place }) => fix !== undefined && place.file === file)
}
