import { eachWord, languageWords, splitWord, stemOf } from '@octavo/search'

/** Words of one question that are looked at. */
const WORDS_MAX = 100

export type TopicWords = (question: string) => ReadonlySet<string>

/**
 * What a question is about, in the languages of a site: its words without their endings, and without
 * those that say nothing alone, such as `how`, `do` and `the`. A question of such words only keeps
 * all of them.
 */
export function createTopicWords(languages: readonly string[]): TopicWords {
  const known = (languages.length === 0 ? ['en'] : languages).map(languageWords)
  const functionWords = new Set(known.flatMap((one) => one.functionWords))
  const endings = known.flatMap((one) => one.endings).sort((a, b) => b.length - a.length)
  return (question) => {
    const all = new Set<string>()
    const topics = new Set<string>()
    eachWord(question, (word) => {
      for (const { term, kind } of splitWord(word).pieces) {
        if (kind === 'tail' || all.size >= WORDS_MAX) continue
        const stem = stemOf(term, endings)
        all.add(stem)
        if (!functionWords.has(term)) topics.add(stem)
      }
    })
    if (topics.size > 0) return topics
    // Signs alone are a question too.
    return all.size > 0 ? all : new Set([question.trim().toLowerCase()])
  }
}
