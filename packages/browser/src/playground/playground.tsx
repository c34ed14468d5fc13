/** The playground of one operation. */
import type { Json, ParameterData } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords, PARAMETER_PLACES } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { AnswerView } from './answer-view.tsx'
import { BODY_ID, BodyEditor } from './body-editor.tsx'
import { buildRequest, chosenMedia } from './build-request.ts'
import { checkValue, type Difference, printPath } from './check-value.ts'
import { CodeView } from './code-view.tsx'
import { FieldEditor } from './field-editor.tsx'
import { idOf } from './plain-fields.tsx'
import { isJson, keyOf, type Operation, type RequestState, withEntry } from './request-state.ts'
import { SecurityEditor, ServerEditor } from './security-editor.tsx'
import { type Answer, sendRequest } from './send-request.ts'
import { printLink } from './share-link.ts'
import { type Change, useRequestState } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { pathOf, setAt } from './value-path.ts'

export function Playground(props: {
  readonly operation: Operation
  readonly first: RequestState
  readonly onClose: () => void
}): JSX.Element {
  const { operation } = props
  const { state, latest, change } = useRequestState(props.first)
  const request = useMemo(() => buildRequest(operation, state), [operation, state])
  const problems = useProblems(operation, state)
  const differences = useMemo(() => problems.flatMap((one) => one.inBody ?? []), [problems])
  const { wanted, setWanted } = useWanted()
  const sending = useSending()
  const setBody = useCallback(
    (path: string, value: Json | undefined) =>
      change((old) => ({ ...old, body: setAt(old.body, path, value) })),
    [change],
  )
  const { page } = operation
  const words = useWords()
  return (
    <div class="oct-playground">
      <header>
        <strong class={`oct-method oct-method-${page.method.toLowerCase()}`}>{page.method}</strong>
        <code title={request.url}>{request.url}</code>
        {sending.isAtWork ? (
          <button class="oct-send" type="button" onClick={sending.cancel}>
            {words.tryCancel}
          </button>
        ) : (
          <button
            class="oct-send"
            type="button"
            onClick={() => sending.send(latest.current, operation)}
          >
            {words.trySend}
          </button>
        )}
        <button
          class="oct-try-close"
          type="button"
          aria-label={words.close}
          onClick={props.onClose}
        >
          ×
        </button>
      </header>
      <div class="oct-playground-parts">
        <form onSubmit={(event) => event.preventDefault()} aria-label={words.request}>
          <ServerEditor operation={operation} state={state} change={change} />
          <SecurityEditor operation={operation} state={state} change={change} />
          <Parameters operation={operation} state={state} change={change} wanted={wanted} />
          <BodyEditor
            operation={operation}
            state={state}
            change={change}
            differences={differences}
            wanted={wanted}
            onSet={setBody}
          />
        </form>
        <div class="oct-playground-side">
          <Problems found={problems} onAsk={setWanted} />
          <CodeView
            request={request}
            languages={operation.settings.languages}
            copyText={operation.tools.copyText}
          />
          <ShareButton operation={operation} state={state} />
          {/* The line of the page cannot be heard while a dialog is open. */}
          <p class="oct-try-status" role="status">
            {sending.answer?.isDone === true && `${words.response} ${sending.answer.status}`}
          </p>
          {sending.problem !== undefined && (
            <p class="oct-try-problem" role="alert">
              {sending.problem}
            </p>
          )}
          {sending.answer !== undefined && (
            <AnswerView answer={sending.answer} operation={operation} />
          )}
        </div>
      </div>
    </div>
  )
}

/** A field that the reader asks for: all around it opens, then it has the focus. */
function useWanted() {
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    if (wanted === undefined) return
    const control = document.getElementById(idOf(wanted)) ?? document.getElementById(BODY_ID)
    control?.focus()
    setWanted(undefined)
  }, [wanted])
  return { wanted, setWanted }
}

function Parameters(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly wanted: string | undefined
}): JSX.Element {
  const { operation, state, change, wanted } = props
  const { library } = operation
  const words = useWords()
  return (
    <>
      {PARAMETER_PLACES.map(([place, title]) => {
        const here = operation.parameters.filter((one) => one.in === place)
        if (here.length === 0) return null
        return (
          <fieldset key={place}>
            <legend>{words[title]}</legend>
            {here.map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                library={library}
                state={state}
                change={change}
                wanted={wanted}
              />
            ))}
          </fieldset>
        )
      })}
    </>
  )
}

function ParameterField(props: {
  readonly parameter: ParameterData
  readonly library: Operation['library']
  readonly state: RequestState
  readonly change: Change
  readonly wanted: string | undefined
}): JSX.Element {
  const { parameter, library, state, change, wanted } = props
  const key = keyOf(parameter)
  const root = `/${key.replaceAll('/', '~1')}`
  const set = useCallback(
    (path: string, value: Json | undefined) =>
      change((old) => {
        const next = setAt(old.parameters.get(key), path.slice(root.length), value)
        return { ...old, parameters: withEntry(old.parameters, key, next) }
      }),
    [change, key, root],
  )
  return (
    <FieldEditor
      schema={parameter.schema ?? parameter.content?.[0]?.schema ?? NO_SCHEMA}
      library={library}
      wanted={wanted}
      label={parameter.name}
      path={root}
      onSet={set}
      value={state.parameters.get(key)}
      required={parameter.required === true}
    />
  )
}

const NO_SCHEMA = { types: ['string'] }

type Problem = Difference & {
  /** Of its field. */
  readonly field: string
  /** In the body, beginning there. */
  readonly inBody: Difference | undefined
}

/** Typing goes first. */
const CHECK_DELAY_MS = 120

function useProblems(operation: Operation, state: RequestState): readonly Problem[] {
  const [found, setFound] = useState<readonly Problem[]>([])
  useEffect(() => {
    const timer = setTimeout(() => setFound(problemsOf(operation, state)), CHECK_DELAY_MS)
    return () => clearTimeout(timer)
  }, [operation, state])
  return found
}

/** What is missing or does not fit. It can be sent all the same: some want to see what happens. */
function problemsOf(operation: Operation, state: RequestState): readonly Problem[] {
  const { library, parameters } = operation
  const { words } = operation.settings
  const options = { merged: library.merged, direction: 'request', words } as const
  const inParameters = parameters.flatMap((parameter): Problem[] => {
    const key = keyOf(parameter)
    const root = `/${key.replaceAll('/', '~1')}`
    const value = state.parameters.get(key)
    if (value === undefined) {
      const missing = { path: [parameter.name], message: words.tryMissing, field: root }
      return parameter.required ? [{ ...missing, inBody: undefined }] : []
    }
    const { schema } = parameter
    if (schema === undefined) return []
    return checkValue(schema, value, options).map((one) => ({
      message: one.message,
      path: [parameter.name, ...one.path],
      inBody: undefined,
      field: `${root}${pathOf(one.path)}`,
    }))
  })
  const media = chosenMedia(operation.body, state)
  if (media?.schema === undefined || !isJson(media.type)) return inParameters
  if (state.body === undefined) {
    const missing = { path: ['body'], message: words.tryMissing, field: '', inBody: undefined }
    return operation.body?.required ? [...inParameters, missing] : inParameters
  }
  const differences = checkValue(media.schema, state.body, options)
  return [
    ...inParameters,
    ...differences.map((one) => ({ ...one, field: pathOf(one.path), inBody: one })),
  ]
}

function Problems(props: {
  readonly found: readonly Problem[]
  readonly onAsk: (field: string) => void
}): JSX.Element | null {
  const { found, onAsk } = props
  const words = useWords()
  if (found.length === 0) return null
  return (
    <details class="oct-try-problems">
      <summary>{fillWords(words.tryMisfits, { count: found.length })}</summary>
      <ul>
        {found.map(({ path, message, field }) => (
          <li key={`${field} ${message}`}>
            <button type="button" onClick={() => onAsk(field)}>
              <code>{printPath(path)}</code> {message}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function ShareButton({
  operation,
  state,
}: {
  readonly operation: Operation
  readonly state: RequestState
}) {
  const { copyText } = operation.tools
  const words = useWords()
  const share = () => void copyText(printLink(operation, state))
  return (
    <p>
      <button type="button" onClick={share}>
        {words.tryCopyLink}
      </button>{' '}
      <span class="oct-try-note">{words.tryNoSecrets}</span>
    </p>
  )
}

function useSending() {
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const [isAtWork, setAtWork] = useState(false)
  const control = useRef<AbortController>(undefined)
  const send = (state: RequestState, operation: Operation) => {
    const request = buildRequest(operation, state)
    const own = new AbortController()
    control.current = own
    setProblem(undefined)
    setAnswer(undefined)
    setAtWork(true)
    // Pieces may come faster than they can be drawn.
    let latest: Answer | undefined
    const draw = () => {
      if (latest !== undefined) setAnswer(latest)
      latest = undefined
    }
    const onProgress = (next: Answer) => {
      if (latest === undefined) requestAnimationFrame(draw)
      latest = next
    }
    const { credentials } = operation.settings
    sendRequest(request, { files: state.files, credentials, signal: own.signal, onProgress })
      .then(setAnswer)
      .catch((error: unknown) => setProblem(explain(error, request.url, operation.settings.words)))
      .finally(() => setAtWork(false))
  }
  return { answer, problem, isAtWork, send, cancel: () => control.current?.abort() }
}

function explain(error: unknown, url: string, words: PlaygroundWords): string {
  if (error instanceof DOMException && error.name === 'AbortError') return words.tryCancelled
  if (error instanceof TypeError) {
    const other = canParse(url) && new URL(url).origin !== location.origin
    return other ? words.tryNoAnswer : fillWords(words.tryFailed, { reason: error.message })
  }
  const reason = error instanceof Error ? error.message : String(error)
  return fillWords(words.tryFailed, { reason })
}

function canParse(url: string): boolean {
  return URL.canParse(url)
}
