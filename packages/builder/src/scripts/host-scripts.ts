/** The scripts that a service adds to pages: they are of its own version, whatever built the site. */
import type { AssistantWords } from '@octavo/theme'

export type HostScripts = {
  /** For sites with an assistant, with the words of these languages. */
  readonly loader: (languages: readonly string[]) => string
  /** The same in a preview, and what previews have without one. */
  readonly previewLoader: (languages: readonly string[]) => string
  readonly previewBar: string
  /** For the pages of the dashboard. */
  readonly dashboard: string
  /** The name of the panel without its language. */
  readonly panelName: string
  /** The panel with the words for `lang` of a page; those that it has, by `lang`. */
  readonly panel: (language: string) => string
  readonly languages: readonly string[]
  /** Loaded by the panel where a site asks for work before the first question. */
  readonly proofName: string
  readonly proof: string
}

export async function loadHostScripts(): Promise<HostScripts> {
  const [{ compileHostScripts }, { languageTag }, words] = await Promise.all([
    import('./compile-scripts.ts'),
    import('@octavo/model'),
    loadWords(),
  ])
  const compiled = await compileHostScripts(JSON.stringify([...words]))
  const withButtons = (code: string) => (languages: readonly string[]) => {
    const tags = languages.map(languageTag)
    const buttons = ['en', ...tags].map((tag) => [tag, words.get(tag)?.askButton] as const)
    return withWords('ASK_WORDS', Object.fromEntries(buttons), code)
  }
  return {
    ...compiled,
    loader: withButtons(compiled.loader),
    previewLoader: withButtons(compiled.previewLoader),
    languages: [...words.keys()],
    panel: (tag) => withWords('ASSISTANT_WORDS', words.get(tag) ?? words.get('en'), compiled.panel),
  }
}

/** Scripts name their words and do not hold them: they are the same in all languages. */
function withWords(name: string, words: unknown, code: string): string {
  return `const ${name}=${JSON.stringify(words)};${code}`
}

async function loadWords(): Promise<ReadonlyMap<string, AssistantWords>> {
  const { assistantWords, interfaceText, LANGUAGES, loadLanguages } = await import('@octavo/theme')
  const { languageTag } = await import('@octavo/model')
  const texts = await loadLanguages(LANGUAGES)
  return new Map(
    ['en', ...LANGUAGES].map((code) => [
      languageTag(code),
      assistantWords(interfaceText(code, texts)),
    ]),
  )
}
