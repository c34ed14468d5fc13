/** Shows a text with line numbers. JSON is colored, and values that do not match are marked. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Difference } from './check-value.ts'
import { findJsonErrors, numbersOf, useColors } from './json-editor.tsx'
import { readJsonText } from './read-json-text.ts'
import { useWords } from './use-words.ts'

export function JsonLines(props: {
  readonly text: string
  readonly isJson: boolean
  readonly differences: readonly Difference[]
}): JSX.Element {
  const { text, isJson, differences } = props
  const words = useWords()
  const read = useMemo(() => readJsonText(isJson ? text : ''), [text, isJson])
  const faults = useMemo(
    () => (isJson ? findJsonErrors({ text, read, differences, words }) : []),
    [text, read, isJson, differences, words],
  )
  const { shown, lines, onScroll } = useColors(text, read, faults)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <div class="oct-answer-text" tabIndex={0} onScroll={onScroll}>
      <pre ref={lines} aria-hidden="true">
        {numbersOf(text)}
      </pre>
      <pre ref={shown}>{text}</pre>
    </div>
  )
}
