import { expect, test } from 'vitest'
import { languageWords } from '../words/language-words.ts'
import { Pace } from './pace.ts'
import { SiteWords } from './question-words.ts'
import { rankCandidates } from './rank-candidates.ts'
import { MEANING_WEIGHTS, WORDS_WEIGHTS } from './ranking-weights.ts'
import { askedQuestion, type Candidate, measureCandidates } from './section-signals.ts'
import type { LibrarySection } from './site-library.ts'

const section = (name: string): LibrarySection => ({
  page: { path: name, url: `/${name}`, title: 'Plants', description: '', trail: [] },
  id: 'care',
  headings: ['Care'],
  text: 'Water them every morning.',
})
const sections = ['far', 'near', 'unknown'].map(section)

async function measure(cosines: readonly (number | undefined)[]) {
  const words = new SiteWords(sections, languageWords('en'))
  await words.count()
  const candidates = sections.map((one, at): Candidate => {
    return { section: one, indexed: 0, pagePlace: 0, cosine: cosines[at] }
  })
  return measureCandidates(candidates, askedQuestion('Irrigation?', words), new Pace(undefined, 1))
}
const urlsOf = (ranked: readonly Candidate[]) => ranked.map((one) => one.section.page.url)

test('a section that is nearer in meaning comes first, whatever the range of the cosines', async () => {
  for (const cosines of [
    [0.2, 0.6, 0],
    [0.81, 0.82, 0.8],
  ]) {
    const measured = await measure(cosines)
    const meanings = measured.map(({ signals }) => signals.meaning)
    expect(meanings).toEqual([-Math.log(2), -Math.log(1), -Math.log(3)])
    const ranked = rankCandidates(measured, MEANING_WEIGHTS.sections)
    expect(urlsOf(ranked)).toEqual(['/near', '/far', '/unknown'])
  }
})

test('without vectors, meaning does not change the order', async () => {
  const measured = await measure([undefined, undefined, undefined])
  expect(measured.map(({ signals }) => signals.meaning)).toEqual([0, 0, 0])
  const ranked = rankCandidates(measured, WORDS_WEIGHTS.sections)
  expect(urlsOf(ranked)).toEqual(['/far', '/near', '/unknown'])
  expect(WORDS_WEIGHTS.sections.meaning).toBe(0)
})
