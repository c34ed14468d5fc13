/** The head of the playground: what is requested, from where, and the button that sends it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { printAddress, readAddress } from './address.ts'
import type { Operation, RequestState } from './request-state.ts'
import { ServerSelect } from './security-editor.tsx'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'

/** Not translated: keys are named as on the keyboard. */
const SEND_KEYS = /^Mac|^iP/.test(navigator.platform) ? '⌘ ↵' : 'Ctrl ↵'

export function RequestLine(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly isSending: boolean
  readonly onSend: () => void
  readonly onCancel: () => void
  readonly onClose: () => void
}): JSX.Element {
  const { operation, state, change, isSending, onSend, onCancel, onClose } = props
  const { method, title } = operation.page
  const words = useWords()
  return (
    <header>
      <h2>{title}</h2>
      <div class="oct-try-line">
        <strong class={`oct-method oct-method-${method.toLowerCase()}`}>{method}</strong>
        <ServerSelect operation={operation} state={state} change={change} />
        <Address operation={operation} state={state} change={change} />
        {isSending ? (
          <button class="oct-send" type="button" onClick={onCancel}>
            {words.tryCancel}
          </button>
        ) : (
          <button class="oct-send" type="button" data-keys={SEND_KEYS} onClick={onSend}>
            {words.trySend}
          </button>
        )}
      </div>
      <button class="oct-try-close" type="button" aria-label={words.close} onClick={onClose}>
        ×
      </button>
    </header>
  )
}

/** Shows the path and query; what the reader types there fills in the fields of the form. */
function Address(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
}): JSX.Element {
  const { operation, state, change } = props
  // While the reader types, the text stays as it was typed.
  const [typed, setTyped] = useState<string>()
  const isInvalid = typed !== undefined && readAddress(typed, operation, state) === undefined
  const edit = (text: string) => {
    setTyped(text)
    change((old) => readAddress(text, operation, old) ?? old)
  }
  return (
    <input
      class="oct-try-address"
      aria-label="URL"
      aria-invalid={isInvalid}
      autocomplete="off"
      spellcheck={false}
      dir="ltr"
      value={typed ?? printAddress(operation, state)}
      onInput={({ currentTarget }) => edit(currentTarget.value)}
      onBlur={() => setTyped(undefined)}
    />
  )
}
