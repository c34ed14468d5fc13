import { describe, expect, test } from 'vitest'
import { lastEnd, spoken } from './sentences.ts'

/** Returns the announcements for text that grows letter by letter. */
function saidOf(text: string): readonly string[] {
  const announced: string[] = []
  let from = 0
  for (let end = 1; end <= text.length; end += 1) {
    const to = end === text.length ? end : lastEnd(text.slice(0, end), from)
    if (to <= from) continue
    announced.push(spoken(text.slice(from, to)))
    from = to
  }
  return announced.filter((words) => words !== '')
}

describe('screen reader announcements', () => {
  test.each([
    ['One. Two! Three', ['One.', 'Two!', 'Three']],
    ['Use `docs.json` now. **Then** build.', ['Use docs.json now.', 'Then build.']],
    ['Yes. [1] See [the guide](/a).', ['Yes.', 'See the guide.']],
    ['First\n\nSecond', ['First', 'Second']],
    ['Steps:\n1. a\n2. b', ['Steps:', '1. a', '2. b']],
    ['早上浇水。晚上不浇。', ['早上浇水。', '晚上不浇。']],
    ['كيف؟ هكذا.', ['كيف؟', 'هكذا.']],
    ['Run:\n\n```sh\na. b. c\n```\n\nDone.', ['Run:', 'a. b. c', 'Done.']],
  ])('the text %j is announced sentence by sentence', (text, expected) => {
    expect(saidOf(text)).toEqual(expected)
  })
})
