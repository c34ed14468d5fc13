/** Shows the response: its status and content, and how it differs from the specification. */
import type { Json, OperationPage } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { checkValue, type Difference, printPath } from './check-value.ts'
import { JsonLines } from './json-lines.tsx'
import { isJson, type Operation } from './request-state.ts'
import type { Answer } from './send-request.ts'
import { TabList } from './tab-list.tsx'
import { useWords } from './use-words.ts'

export function AnswerView({
  answer,
  operation,
}: {
  readonly answer: Answer
  readonly operation: Operation
}): JSX.Element {
  const section = useRef<HTMLElement>(null)
  // On a phone, the response is far below the button, so it is scrolled into view.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  const words = useWords()
  const [shown, setShown] = useState('body')
  const found = useDifferences(answer, operation)
  const tabs = [
    { name: 'body', label: words.apiBody },
    {
      name: 'headers',
      label: (
        <>
          {words.apiHeaders} <span class="oct-try-count">{answer.headers.length}</span>
        </>
      ),
    },
  ]
  return (
    <section ref={section} class="oct-answer" aria-label={words.response}>
      <AnswerLine answer={answer} copyText={operation.tools.copyText} />
      {answer.redirectedTo !== undefined && (
        <p class="oct-try-note">{fillWords(words.tryFrom, { url: answer.redirectedTo })}</p>
      )}
      {answer.isCut && <p class="oct-try-note">{words.tryLong}</p>}
      {answer.isDone ? (
        <Differences found={found} />
      ) : (
        <p class="oct-answer-note oct-answer-live">{words.tryArriving}</p>
      )}
      <TabList label={words.response} tabs={tabs} chosen={shown} onChoose={setShown}>
        {shown === 'body' ? (
          <Content answer={answer} differences={typeof found === 'string' ? [] : found} />
        ) : (
          <dl class="oct-answer-headers">
            {answer.headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </TabList>
    </section>
  )
}

/** Shows status, time and size, and lets the reader keep the content. */
function AnswerLine({
  answer,
  copyText,
}: {
  readonly answer: Answer
  readonly copyText: (text: string) => Promise<void>
}): JSX.Element {
  const { status, statusText, timeMs, size, type, text, blob, isDone } = answer
  const words = useWords()
  const tone = ['good', 'good', 'good', 'other', 'wrong'][Math.trunc(status / 100)] ?? 'bad'
  const data = useMemo(
    () => blob ?? (isDone && text ? new Blob([text], { type }) : undefined),
    [blob, isDone, text, type],
  )
  return (
    <p class="oct-answer-line">
      <strong class={`oct-status oct-status-${tone}`}>
        {status} {statusText}
      </strong>
      <span>{Math.round(timeMs)} ms</span>
      <span>{printSize(size)}</span>
      {type !== '' && <span>{type}</span>}
      <span class="oct-answer-tools">
        {data !== undefined && <Download data={data} type={type} />}
        {text !== undefined && text !== '' && (
          <button
            class="oct-copy"
            type="button"
            aria-label={words.copy}
            onClick={() => void copyText(text)}
          />
        )}
      </span>
    </p>
  )
}

function Content({
  answer: { events, text, blob, type, isDone },
  differences,
}: {
  readonly answer: Answer
  readonly differences: readonly Difference[]
}): JSX.Element | null {
  const value = useMemo(
    () => (isDone && events === undefined && text !== undefined ? parse(text) : undefined),
    [isDone, events, text],
  )
  if (events !== undefined) return <Events events={events} />
  if (blob !== undefined) return <Binary blob={blob} type={type} />
  if (text === undefined || text === '') return null
  const shown = value === undefined ? text : JSON.stringify(value, null, 2)
  return <JsonLines text={shown} isJson={value !== undefined} differences={differences} />
}

/** Lists the events of a stream as they arrive. */
function Events({ events }: { readonly events: NonNullable<Answer['events']> }) {
  return (
    <ol class="oct-answer-events" aria-live="polite" aria-relevant="additions">
      {events.map(({ name, data, timeMs }, index) => (
        <li key={index}>
          <span class="oct-answer-time">{Math.round(timeMs)} ms</span>
          {name !== undefined && <strong>{name}</strong>}
          <code>{data}</code>
        </li>
      ))}
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
    </div>
  )
}

function Download({ data, type }: { readonly data: Blob; readonly type: string }) {
  const url = useObjectUrl(data)
  const extension = /^[\w.+-]+\/(?:[\w.-]+\+)?(\w+)/.exec(type)?.[1] ?? 'bin'
  return (
    <a class="oct-answer-download" href={url} download={`response.${extension}`}>
      <span>{useWords().download}</span>
    </a>
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

/** Returns how the response differs from the specification, or a sentence about that. */
function useDifferences(answer: Answer, operation: Operation): readonly Difference[] | string {
  const [found, setFound] = useState<readonly Difference[] | string>('')
  useEffect(() => {
    let isCurrent = answer.isDone
    if (isCurrent) {
      void compare(answer, operation).then((next) => {
        if (isCurrent) setFound(next)
      })
    }
    return () => {
      isCurrent = false
    }
  }, [answer, operation])
  return found
}

function Differences({ found }: { readonly found: readonly Difference[] | string }) {
  const words = useWords()
  if (typeof found === 'string') {
    const isGood = found === words.tryFits
    return found === '' ? null : (
      <p class={isGood ? 'oct-answer-note oct-answer-fits' : 'oct-answer-note'}>{found}</p>
    )
  }
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

function compare(answer: Answer, { page, library, settings: { words } }: Operation) {
  return library.complete((known) => differences(answer, { page, library: known, words }))
}

function differences(
  answer: Answer,
  {
    page,
    library,
    words,
  }: Pick<Operation, 'page' | 'library'> & { readonly words: PlaygroundWords },
): readonly Difference[] | string {
  const written = responseFor(page, answer.status)
  if (written === undefined) return fillWords(words.tryNoStatus, { status: answer.status })
  const part = 'ref' in written ? library.part(written.ref) : undefined
  const response =
    part?.kind === 'response' ? part.response : 'ref' in written ? undefined : written
  if (response === undefined) return ''
  const media = response.content.find(({ type }) => matches(type, answer.type))
  if (media === undefined) {
    const isEmpty = answer.size === 0 || response.content.length === 0
    return isEmpty ? '' : fillWords(words.tryNoType, { type: answer.type })
  }
  const { schema } = media
  if (schema === undefined || answer.text === undefined) return ''
  const options = { merged: library.merged, direction: 'response', words } as const
  // If the schema of a stream is a string, the whole stream is checked as one string, whatever its
  // events contain.
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
