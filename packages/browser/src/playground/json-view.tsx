/** Shows collapsible JSON; each part is rendered when it is opened. */
import type { Json } from '@octavo/openapi/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isList } from './check-value.ts'
import { useWords } from './use-words.ts'

/** Maximum entries shown at first. */
const ENTRIES_MAX = 200

export function JsonView(props: {
  readonly value: Json
  readonly name?: string
  readonly depth?: number
}): JSX.Element {
  const { value, name, depth = 0 } = props
  const [isOpen, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(ENTRIES_MAX)
  const words = useWords()
  const key = name === undefined ? null : <span class="oct-json-key">{JSON.stringify(name)}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="oct-json-line">
        {key}
        <span class={`oct-json-${value === null ? 'null' : typeof value}`}>
          {JSON.stringify(value)}
        </span>
      </div>
    )
  }
  const isArray = isList(value)
  const entries: readonly (readonly [string, Json])[] = Object.entries(value)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <div class="oct-json-line">
        {key}
        {open}
        {close}
      </div>
    )
  }
  return (
    <details
      class="oct-json"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {key}
        {open} <span class="oct-json-count">{entries.length}</span> {!isOpen && close}
      </summary>
      {isOpen && (
        <div>
          {entries.slice(0, shown).map(([entry, inner]) => (
            <JsonView
              key={entry}
              value={inner}
              depth={depth + 1}
              {...(isArray ? {} : { name: entry })}
            />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + ENTRIES_MAX)}>
              {fillWords(words.tryMore, { count: entries.length - shown })}
            </button>
          )}
        </div>
      )}
    </details>
  )
}
