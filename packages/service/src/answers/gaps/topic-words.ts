import { eachWord, languageWords, splitWord, stemOf } from '@octavo/search'

/** The most words considered per question. */
const WORDS_MAX = 100

export type TopicWords = (question: string) => ReadonlySet<string>

/**
 * Extracts the topic of a question in the site's languages: its words without their endings and
 * without function words such as `how`, `do` and `the`. A question of function words only keeps all
 * of them.
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
    // A question may consist of punctuation only.
    return all.size > 0 ? all : new Set([question.trim().toLowerCase()])
  }
}
