/**
 * The scripts that a service adds to pages, in the service's version, independent of the site's
 * builder.
 */
import type { AssistantWords, FeedbackWords, ReaderWords } from '@octavo/theme'

export type HostScripts = {
  /** For sites with an assistant, with the texts in these languages. */
  readonly loader: (languages: readonly string[]) => string
  /** For previews, with or without an assistant. */
  readonly previewLoader: (languages: readonly string[]) => string
  readonly previewBar: string
  /** For private sites, before the other scripts. */
  readonly readerLinks: (isSignedIn: boolean, languages: readonly string[]) => string
  /** Sends usage events, for sites whose host counts them. Before the other scripts. */
  readonly listener: string
  /**
   * Loaded by the listener if feedback is enabled: the name without its language, and the script
   * for a page's `lang`.
   */
  readonly feedbackName: string
  readonly feedback: (language: string) => string
  /** For pages of the dashboard. */
  readonly dashboard: string
  /** The name of the panel without its language. */
  readonly panelName: string
  /** The panel with the texts for a page's `lang`, and the available languages. */
  readonly panel: (language: string) => string
  readonly languages: readonly string[]
  /** Loaded by the panel if a site requires proof of work before the first question. */
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
  }
}

/** Prepends the texts, so that the code itself is the same in all languages. */
function withWords(name: string, words: unknown, code: string): string {
  return `const ${name}=${JSON.stringify(words)};${code}`
}

type Words = {
  readonly assistant: AssistantWords
  readonly reader: ReaderWords
  readonly feedback: FeedbackWords
}

/** Returns the texts that service scripts need, in all languages. */
export async function hostWords(): Promise<ReadonlyMap<string, Words>> {
  const { assistantWords, feedbackWords, interfaceText, LANGUAGES, loadLanguages, readerWords } =
    await import('@octavo/theme')
  const { languageTag } = await import('@octavo/model')
  const texts = await loadLanguages(LANGUAGES)
  return new Map(
    ['en', ...LANGUAGES].map((code) => {
      const text = interfaceText(code, texts)
      const feedback = feedbackWords(text)
      const spoken = { assistant: assistantWords(text), reader: readerWords(text), feedback }
      return [languageTag(code), spoken]
    }),
  )
}
