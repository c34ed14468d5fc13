/** A value as the text of JSON. What is no JSON is told and not taken over. */
import type { Json } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

export function JsonEditor(props: {
  readonly id: string
  readonly value: Json | undefined
  readonly rows: number
  readonly onSet: (value: Json | undefined) => void
}): JSX.Element {
  const { id, value, rows, onSet } = props
  const [text, setText] = useState(() => print(value))
  const [problem, setProblem] = useState<string>()
  const edit = (next: string) => {
    setText(next)
    if (next.trim() === '') {
      setProblem(undefined)
      onSet(undefined)
      return
    }
    try {
      onSet(JSON.parse(next) as Json)
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This is no JSON.')
    }
  }
  return (
    <>
      <textarea
        id={id}
        class="oct-try-json"
        rows={rows}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      <p class="oct-try-problem" id={`${id}-problem`} role="status">
        {problem}
      </p>
    </>
  )
}

function print(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
