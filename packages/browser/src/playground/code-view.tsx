/** Shows the request as code, updated while the reader types. */
import { findLanguage, printCodeSample, type SampleRequest } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { paintCode } from './paint-code.tsx'
import { useWords } from './use-words.ts'

/** Debounces updates to keep typing fast. */
const DELAY_MS = 60

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
  return (
    <section class="oct-try-code" aria-label={words.tryCode}>
      <div class="oct-try-row">
        <select
          aria-label={words.codeLanguage}
          value={chosen}
          onChange={({ currentTarget: { value } }) => setChosen(findLanguage(value)?.id ?? chosen)}
        >
          {languages.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <button
          class="oct-copy"
          type="button"
          aria-label={words.copy}
          onClick={() => void props.copyText(text)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <pre tabIndex={0}>
        <code>{paintCode(text)}</code>
      </pre>
    </section>
  )
}
