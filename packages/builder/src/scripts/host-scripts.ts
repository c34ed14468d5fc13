/**
 * Provides the scripts that a service adds to pages. They are from the service's version of the
 * builder, regardless of the version that built the site.
 */
import type { AssistantWords, FeedbackWords, ReaderWords, SampleWords } from '@octavo/theme'

export type HostScripts = {
  /** Returns the script for sites with an assistant, with its texts in the given languages. */
  readonly loader: (languages: readonly string[]) => string
  /** Returns the script for previews, which may or may not have an assistant. */
  readonly previewLoader: (languages: readonly string[]) => string
  readonly previewBar: string
  /** Returns the script for private sites, which must come before the other scripts. */
  readonly readerLinks: (isSignedIn: boolean, languages: readonly string[]) => string
  /** Returns the script for sites with a proof: it shows on pages which request samples ran. */
  readonly sampleResults: (languages: readonly string[]) => string
  /** Sends usage events, on sites whose host counts them. It must come before the other scripts. */
  readonly listener: string
  /**
   * The feedback script, which the listener loads if feedback is enabled: its name without the
   * language, and its code for the `lang` of a page.
   */
  readonly feedbackName: string
  readonly feedback: (language: string) => string
  /** The script for pages of the dashboard. */
  readonly dashboard: string
  /** The file name of the panel without the language. */
  readonly panelName: string
  /**
   * Returns the panel with its texts for the `lang` of a page; `languages` are the available ones.
   */
  readonly panel: (language: string) => string
  readonly languages: readonly string[]
  /**
   * The file name of the script that the panel loads if a site requires proof of work before the
   * first question.
   */
  readonly proofName: string
  readonly proof: string
}

export async function loadHostScripts(): Promise<HostScripts> {
  const [{ compileHostScripts }, { languageTag }, words] = await Promise.all([
    import('./compile-scripts.ts'),
    import('@octavo/model'),
    hostWords(),
  ])
  const english = words.get('en')
  if (english === undefined) throw new Error('The English interface texts are missing.')
  const compiled = await compileHostScripts(JSON.stringify([...words]))
  const inLanguages = <Word>(languages: readonly string[], wordOf: (words: Words) => Word) => {
    const tags = ['en', ...languages.map(languageTag)]
    return Object.fromEntries(tags.map((tag) => [tag, wordOf(words.get(tag) ?? english)]))
  }
  const withButtons = (code: string) => (languages: readonly string[]) =>
    withWords(
      'ASK_WORDS',
      inLanguages(languages, ({ assistant }) => assistant.askButton),
      code,
    )
  return {
    ...compiled,
    loader: withButtons(compiled.loader),
    previewLoader: withButtons(compiled.previewLoader),
    languages: [...words.keys()],
    panel: (tag) =>
      withWords('ASSISTANT_WORDS', (words.get(tag) ?? english).assistant, compiled.panel),
    feedback: (tag) =>
      withWords('FEEDBACK_WORDS', (words.get(tag) ?? english).feedback, compiled.feedback),
    readerLinks: (isSignedIn, languages) =>
      `const IS_SIGNED_IN=${isSignedIn};${withWords(
        'READER_WORDS',
        inLanguages(languages, ({ reader }) => reader),
        compiled.readerLinks,
      )}`,
    sampleResults: (languages) =>
      withWords(
        'SAMPLE_WORDS',
        inLanguages(languages, ({ samples }) => samples),
        compiled.sampleResults,
      ),
  }
}

/** Prepends the texts to a script, so that its code is the same in all languages. */
function withWords(name: string, words: unknown, code: string): string {
  return `const ${name}=${JSON.stringify(words)};${code}`
}

type Words = {
  readonly assistant: AssistantWords
  readonly reader: ReaderWords
  readonly feedback: FeedbackWords
  readonly samples: SampleWords
}

/** Returns the texts that service scripts contain, by language. */
export async function hostWords(): Promise<ReadonlyMap<string, Words>> {
  const { LANGUAGES, interfaceText, loadLanguages, ...wordsOf } = await import('@octavo/theme')
  const { languageTag } = await import('@octavo/model')
  const texts = await loadLanguages(LANGUAGES)
  return new Map(
    ['en', ...LANGUAGES].map((code) => {
      const text = interfaceText(code, texts)
      const spoken: Words = {
        assistant: wordsOf.assistantWords(text),
        reader: wordsOf.readerWords(text),
        feedback: wordsOf.feedbackWords(text),
        samples: wordsOf.sampleWords(text),
      }
      return [languageTag(code), spoken]
    }),
  )
}
