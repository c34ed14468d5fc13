import type { JSX } from 'preact'

type Props = {
  readonly isSecret: boolean
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
  readonly id?: string
  readonly placeholder?: string
  readonly 'aria-required'?: boolean
  readonly 'aria-describedby'?: string
}

/** A text input that hides its content if it is secret. */
export function SecretInput({ isSecret, ...rest }: Props): JSX.Element {
  const common = { ...rest, autocomplete: 'off', spellcheck: false }
  return isSecret ? <input type="password" {...common} /> : <input type="text" {...common} />
}
