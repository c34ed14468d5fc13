/** Shows the request as code, which is updated while the reader types. */
import { findLanguage, printCodeSample, type SampleRequest } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { paintCode } from './paint-code.tsx'
import { TabList } from './tab-list.tsx'
import { useWords } from './use-words.ts'

/** Updates wait this long after a change, so that typing stays fast. */
const DELAY_MS = 60
/** More languages than this are in a list. */
const TABS_MAX = 4

export function CodeView(props: {
  readonly request: SampleRequest
  readonly languages: readonly string[]
  readonly copyText: (text: string) => Promise<void>
}): JSX.Element | null {
  const words = useWords()
  const languages = props.languages.flatMap((name) => findLanguage(name) ?? [])
  const [chosen, setChosen] = useState(languages[0]?.id ?? 'bash')
  const [text, setText] = useState(() => printCodeSample(chosen, props.request))
  useEffect(() => {
    const timer = setTimeout(() => setText(printCodeSample(chosen, props.request)), DELAY_MS)
    return () => clearTimeout(timer)
  }, [chosen, props.request])
  const copy = (
    <button
      class="oct-copy"
      type="button"
      aria-label={words.copy}
      onClick={() => void props.copyText(text)}
    />
  )
  const code = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <pre tabIndex={0}>
      <code>{paintCode(text)}</code>
    </pre>
  )
  const choose = (name: string) => setChosen(findLanguage(name)?.id ?? chosen)
  return (
    <section class="oct-try-code" aria-label={words.tryCode}>
      {languages.length <= TABS_MAX ? (
        <TabList
          label={words.codeLanguage}
          tabs={languages.map(({ id, label }) => ({ name: id, label }))}
          chosen={chosen}
          onChoose={choose}
          end={copy}
        >
          {code}
        </TabList>
      ) : (
        <>
          <div class="oct-try-tabs">
            <select
              aria-label={words.codeLanguage}
              value={chosen}
              onChange={({ currentTarget: { value } }) => choose(value)}
            >
              {languages.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
            {copy}
          </div>
          {code}
        </>
      )}
    </section>
  )
}
