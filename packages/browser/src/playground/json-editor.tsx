/**
 * Edits a value as JSON text, in a textarea over a colored copy of the text. Invalid JSON is
 * reported and not applied; values that do not match the schema are marked in the text.
 */
import type { Json } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX, TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Difference, printPath } from './check-value.ts'
import { paintText, type TextMark } from './paint-text.ts'
import { type JsonPlace, type JsonText, lineOf, placeOf, readJsonText } from './read-json-text.ts'
import { useWords } from './use-words.ts'
import { pathOf } from './value-path.ts'

export function JsonEditor(props: {
  readonly id: string
  readonly label?: string
  readonly value: Json | undefined
  readonly rows: number
  readonly onSet: (value: Json | undefined) => void
  /** How the value differs from its schema. */
  readonly differences?: readonly Difference[]
}): JSX.Element {
  const { id, value, rows, onSet, differences = [] } = props
  const words = useWords()
  const [text, setText] = useState(() => print(value))
  const read = useMemo(() => readJsonText(text), [text])
  const faults = useMemo(
    () => findJsonErrors({ text, read, differences, words }),
    [text, read, differences, words],
  )
  const control = useRef<HTMLTextAreaElement>(null)
  const { shown, lines, onScroll } = useColors(text, read, faults)
  const edit = (next: string) => {
    setText(next)
    const value = next.trim() === '' ? undefined : parse(next)
    if (value !== NO_JSON) onSet(value)
  }
  const select = ({ start, end }: JsonPlace) => {
    control.current?.focus()
    control.current?.setSelectionRange(start, end)
  }
  return (
    <>
      <div class="oct-try-json" onScroll={onScroll}>
        <pre ref={lines} aria-hidden="true">
          {numbersOf(text)}
        </pre>
        <div>
          {/* An empty last line would have no height. */}
          <pre ref={shown} aria-hidden="true">{`${text}\n`}</pre>
          <textarea
            ref={control}
            id={id}
            rows={rows}
            spellcheck={false}
            autocapitalize="off"
            value={text}
            aria-label={props.label}
            aria-invalid={faults.length > 0}
            aria-describedby={`${id}-faults`}
            onInput={({ currentTarget }) => edit(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.isComposing) indent(event)
            }}
          />
        </div>
      </div>
      <ul class="oct-try-faults" id={`${id}-faults`}>
        {faults.map((fault) => (
          <li key={`${fault.start} ${fault.message}`}>
            <button type="button" onClick={() => select(fault)}>
              {fillWords(words.tryLine, { line: fault.line })}
            </button>{' '}
            {fault.message}
          </li>
        ))}
      </ul>
    </>
  )
}

type Fault = JsonPlace & { readonly line: number; readonly message: string }

/** Finds errors in the text. While the JSON is invalid, its values cannot be checked. */
export function findJsonErrors(input: {
  readonly text: string
  readonly read: JsonText
  readonly differences: readonly Difference[]
  readonly words: PlaygroundWords
}) {
  const { text, read, differences, words } = input
  const fault = (place: JsonPlace, message: string): Fault => ({
    ...place,
    line: lineOf(text, place.start),
    message,
  })
  if (text.trim() === '') return []
  if (read.faultAt !== undefined) {
    const end = Math.max(read.faultAt + 1, text.indexOf('\n', read.faultAt))
    return [fault({ start: read.faultAt, end }, words.tryNoJson)]
  }
  return differences.map(({ path, message }) =>
    fault(placeOf(read, pathOf(path)), `${printPath(path)} ${message}`.trim()),
  )
}

/** Returns the numbers of the lines of a text, one on each line. */
export function numbersOf(text: string): string {
  return Array.from(text.split('\n'), (_, index) => index + 1).join('\n')
}

/** How many lines are colored, and by how many lines the colored range moves. */
const LINES_COLORED = 80
const LINES_STEP = 20

export function useColors(text: string, read: JsonText, faults: readonly Fault[]) {
  const shown = useRef<HTMLPreElement>(null)
  const lines = useRef<HTMLPreElement>(null)
  const [first, setFirst] = useState(0)
  useLayoutEffect(() => {
    const seen = linesFrom(text, first)
    const isSeen = ({ start, end }: JsonPlace) => end > seen.start && start < seen.end
    const places = faults.map(({ start, end }): TextMark => ({ kind: 'fault', start, end }))
    const undo = paintText(shown.current?.firstChild, [...read.marks, ...places].filter(isSeen))
    const numbers = faults.map(({ line }): TextMark => {
      const start = startOfLine(line)
      return { kind: 'fault', start, end: start + String(line).length }
    })
    const undoNumbers = paintText(lines.current?.firstChild, numbers)
    return () => {
      undo()
      undoNumbers()
    }
  }, [text, read, faults, first])
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight } }: TargetedEvent<HTMLElement>) => {
    const line = (scrollTop / scrollHeight) * text.split('\n').length
    setFirst(Math.max(0, Math.floor(line / LINES_STEP) * LINES_STEP - LINES_STEP))
  }
  return { shown, lines, onScroll }
}

/** Returns the range of text that is colored. */
function linesFrom(text: string, first: number): JsonPlace {
  const after = (count: number, from: number) => {
    let at = from
    for (let line = 0; line < count && at < text.length; line += 1) {
      const next = text.indexOf('\n', at)
      at = next < 0 ? text.length : next + 1
    }
    return at
  }
  const start = after(first, 0)
  return { start, end: after(LINES_COLORED, start) }
}

/** Returns the position of a line number in the text of all line numbers. */
function startOfLine(line: number): number {
  let start = 0
  for (let before = 1; before < line; before += 1) start += String(before).length + 1
  return start
}

/** Indents a new line like the previous one, and deeper after a bracket. */
function indent(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  const { value, selectionStart } = event.currentTarget
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
  const depth = /^ */.exec(line)?.[0] ?? ''
  const deeper = /[[{]\s*$/.test(line) ? '  ' : ''
  // Only this function inserts text with support for undo. If the browser lacks it, the line is not
  // indented.
  if (document.execCommand('insertText', false, `\n${depth}${deeper}`)) event.preventDefault()
}

const NO_JSON = Symbol('no JSON')

function parse(text: string): Json | typeof NO_JSON {
  try {
    return JSON.parse(text) as Json
  } catch {
    return NO_JSON
  }
}

function print(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
