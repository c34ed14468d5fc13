import { eachWord, languageWords, splitWord, stemOf } from '@octavo/search'

/** The maximum number of words that are considered per question. */
const WORDS_MAX = 100

export type TopicWords = (question: string) => ReadonlySet<string>

/**
 * Creates a function that returns the topic of a question: its words without endings and without
 * function words of the site's languages, such as `how`, `do` and `the`. If a question consists
 * only of function words, all of them are returned.
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
    // The question may consist of punctuation only.
    return all.size > 0 ? all : new Set([question.trim().toLowerCase()])
  }
}
