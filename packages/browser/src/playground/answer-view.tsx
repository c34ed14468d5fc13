/** Shows the response: status, content, and differences from the specification. */
import type { Json, OperationPage } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { checkValue, type Difference, printPath } from './check-value.ts'
import { JsonView } from './json-view.tsx'
import { isJson, type Operation } from './request-state.ts'
import type { Answer } from './send-request.ts'
import { useWords } from './use-words.ts'

export function AnswerView({
  answer,
  operation,
}: {
  readonly answer: Answer
  readonly operation: Operation
}): JSX.Element {
  const section = useRef<HTMLElement>(null)
  // On a phone, the response is far below the button.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  const words = useWords()
  const tone = ['good', 'good', 'good', 'other', 'wrong'][Math.trunc(answer.status / 100)] ?? 'bad'
  return (
    <section ref={section} class="oct-answer" aria-label={words.response}>
      <p class="oct-answer-line">
        <strong class={`oct-status oct-status-${tone}`}>
          {answer.status} {answer.statusText}
        </strong>
        <span>{Math.round(answer.timeMs)} ms</span>
        <span>{printSize(answer.size)}</span>
        {answer.type !== '' && <span>{answer.type}</span>}
        {!answer.isDone && <span class="oct-answer-live">{words.tryArriving}</span>}
      </p>
      {answer.redirectedTo !== undefined && (
        <p class="oct-try-note">{fillWords(words.tryFrom, { url: answer.redirectedTo })}</p>
      )}
      {answer.isCut && <p class="oct-try-note">{words.tryLong}</p>}
      {answer.isDone && <Differences answer={answer} operation={operation} />}
      <details>
        <summary>{fillWords(words.tryHeaderCount, { count: answer.headers.length })}</summary>
        <dl class="oct-answer-headers">
          {answer.headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Content answer={answer} />
    </section>
  )
}

function Content({ answer }: { readonly answer: Answer }): JSX.Element | null {
  const { events, text, blob, type, isDone } = answer
  const value = useMemo(
    () => (isDone && events === undefined && text !== undefined ? parse(text) : undefined),
    [isDone, events, text],
  )
  if (events !== undefined) return <Events events={events} text={text ?? ''} />
  if (blob !== undefined) return <Binary blob={blob} type={type} />
  if (text === undefined || text === '') return null
  return (
    <>
      {value === undefined ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        <pre class="oct-answer-text" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <div class="oct-answer-text">
          <JsonView value={value} />
        </div>
      )}
      {isDone && <Download data={new Blob([text], { type })} type={type} />}
    </>
  )
}

/** Shorter events are shown as text. */
const INLINE_LENGTH_MAX = 200

/** Lists events as they arrive. */
function Events(props: { readonly events: NonNullable<Answer['events']>; readonly text: string }) {
  const { events } = props
  return (
    <ol class="oct-answer-events" aria-live="polite" aria-relevant="additions">
      {events.map(({ name, data, timeMs }, index) => {
        const value = data.length > INLINE_LENGTH_MAX ? parse(data) : undefined
        return (
          <li key={index}>
            <span class="oct-answer-time">{Math.round(timeMs)} ms</span>
            {name !== undefined && <strong>{name}</strong>}
            {value === undefined ? <code>{data}</code> : <JsonView value={value} depth={2} />}
          </li>
        )
      })}
    </ol>
  )
}

function Binary({ blob, type }: { readonly blob: Blob; readonly type: string }) {
  const url = useObjectUrl(blob)
  return (
    <div class="oct-answer-binary">
      {type.startsWith('image/') && url !== '' && <img src={url} alt={useWords().response} />}
      {type.startsWith('audio/') && url !== '' && (
        // biome-ignore lint/a11y/useMediaCaption: API responses have no captions
        <audio controls src={url} />
      )}
      {type.startsWith('video/') && url !== '' && (
        // biome-ignore lint/a11y/useMediaCaption: API responses have no captions
        <video controls src={url} />
      )}
      <Download data={blob} type={type} />
    </div>
  )
}

function Download({ data, type }: { readonly data: Blob; readonly type: string }) {
  const url = useObjectUrl(data)
  const extension = /^[\w.+-]+\/(?:[\w.-]+\+)?(\w+)/.exec(type)?.[1] ?? 'bin'
  return (
    <p>
      <a href={url} download={`response.${extension}`}>
        {useWords().download}
      </a>
    </p>
  )
}

function useObjectUrl(blob: Blob): string {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob.size, blob.type])
  return url
}

/** Shows how the response differs from the specification. */
function Differences({
  answer,
  operation,
}: {
  readonly answer: Answer
  readonly operation: Operation
}) {
  const [found, setFound] = useState<readonly Difference[] | string>('')
  const words = useWords()
  useEffect(() => {
    void compare(answer, operation).then(setFound)
  }, [answer, operation])
  if (typeof found === 'string') return found === '' ? null : <p class="oct-try-note">{found}</p>
  return (
    <details class="oct-answer-differences" open>
      <summary>{fillWords(words.tryDifferences, { count: found.length })}</summary>
      <ul>
        {found.map(({ path, message }) => (
          <li key={`${path.join('/')} ${message}`}>
            <code>{path.length === 0 ? words.tryWhole : printPath(path)}</code> {message}
          </li>
        ))}
      </ul>
    </details>
  )
}

async function compare(
  answer: Answer,
  { page, library, settings: { words } }: Operation,
): Promise<readonly Difference[] | string> {
  const written = responseFor(page, answer.status)
  if (written === undefined) return fillWords(words.tryNoStatus, { status: answer.status })
  await library.ensure(written)
  const part = 'ref' in written ? library.part(written.ref) : undefined
  const response =
    part?.kind === 'response' ? part.response : 'ref' in written ? undefined : written
  if (response === undefined) return ''
  const media = response.content.find(({ type }) => matches(type, answer.type))
  if (media === undefined) {
    const isEmpty = answer.size === 0 || response.content.length === 0
    return isEmpty ? '' : fillWords(words.tryNoType, { type: answer.type })
  }
  if (media.schema === undefined || answer.text === undefined) return ''
  await library.ensure(media.schema)
  const options = { merged: library.merged, direction: 'response', words } as const
  const { schema } = media
  // A stream described as a string is checked as one string, whatever its events contain.
  const isText = library.merged(schema).types?.includes('string') === true
  if (answer.events === undefined || isText) {
    const value = isText && !isJson(answer.type) ? answer.text : parse(answer.text)
    return value === undefined ? '' : orMatches(checkValue(schema, value, options), words)
  }
  const found = answer.events.slice(0, 20).flatMap(({ data }, index) => {
    const value = parse(data)
    const inEvent = value === undefined ? [] : checkValue(schema, value, options)
    return inEvent.map((one) => ({ ...one, path: [index, ...one.path] }))
  })
  return orMatches(found, words)
}

function orMatches(
  found: readonly Difference[],
  words: PlaygroundWords,
): readonly Difference[] | string {
  return found.length === 0 ? words.tryFits : found
}

function responseFor({ responses }: OperationPage, status: number) {
  const names = [String(status), `${String(status)[0]}XX`, 'default']
  return names
    .map((name) => responses.find((one) => one.status.toUpperCase() === name.toUpperCase()))
    .find((one) => one !== undefined)?.response
}

function matches(written: string, type: string): boolean {
  const [plain = ''] = written.split(';')
  const pattern = plain.trim().toLowerCase()
  if (pattern === '*/*' || pattern === type.toLowerCase()) return true
  return pattern.endsWith('/*') && type.toLowerCase().startsWith(pattern.slice(0, -1))
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function printSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}
