import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useWords } from './use-words.ts'

type Props = {
  readonly isSecret: boolean
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
  readonly id?: string
  readonly placeholder?: string
  readonly 'aria-required'?: boolean
  readonly 'aria-describedby'?: string
}

/** A text field that hides its content if the content is secret, until the reader wants to see it. */
export function SecretInput({ isSecret, ...rest }: Props): JSX.Element {
  const [isShown, setShown] = useState(false)
  const words = useWords()
  const common = { ...rest, autocomplete: 'off', spellcheck: false }
  if (!isSecret) return <input type="text" {...common} />
  return (
    <div class="oct-try-secret">
      {isShown ? <input type="text" {...common} /> : <input type="password" {...common} />}
      <button
        type="button"
        class="oct-try-eye"
        aria-label={words.tryShow}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
    </div>
  )
}
