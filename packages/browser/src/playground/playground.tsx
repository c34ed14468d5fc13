/** The playground of one operation. */
import type { PlaygroundOutcome } from '@octavo/model/site-event'
import type { Json } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX, RefObject } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pagePath, reportEvent } from '../page/site-base.ts'
import { AnswerView } from './answer-view.tsx'
import { BODY_ID, BodyEditor } from './body-editor.tsx'
import { buildRequest, missingInPath } from './build-request.ts'
import { CodeView } from './code-view.tsx'
import { fieldOf, Parameters } from './parameter-fields.tsx'
import { idOf } from './plain-fields.tsx'
import { RequestLine } from './request-line.tsx'
import { Missings, missingFields, Problems, useProblems } from './request-problems.tsx'
import type { Operation, RequestState } from './request-state.ts'
import { SecurityEditor, ServerVariables } from './security-editor.tsx'
import { type Answer, sendRequest } from './send-request.ts'
import { hostHasProxy } from './send-through-host.ts'
import { printLink } from './share-link.ts'
import { throughMock } from './through-mock.ts'
import { type Change, useRequestState } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { setAt } from './value-path.ts'

export function Playground(props: {
  readonly operation: Operation
  readonly first: RequestState
  readonly onClose: () => void
}): JSX.Element {
  const operation = useLoadedParts(props.operation)
  const { state, latest, change } = useRequestState(props.first)
  const request = useMemo(() => buildRequest(operation, state, 'code'), [operation, state])
  // Problems are only shown after the reader has changed something.
  const problems = useProblems(operation, state === props.first ? undefined : state)
  const { wanted, setWanted } = useFocusedField()
  const sending = useSendRequest()
  const { asked, missing, send, sendAnyway } = useQuestion({
    operation,
    state,
    latest: () => latest.current,
    onSend: sending.send,
    onAsk: setWanted,
  })
  const box = useSendKeys(() => {
    if (!sending.isAtWork) send()
  })
  return (
    <div class="oct-playground" ref={box}>
      <RequestLine
        operation={operation}
        state={state}
        change={change}
        isSending={sending.isAtWork}
        onSend={send}
        onCancel={sending.cancel}
        onClose={props.onClose}
      />
      <div class="oct-playground-parts">
        <RequestForm
          operation={operation}
          state={state}
          change={change}
          problems={problems}
          missing={missing}
          wanted={wanted}
        />
        <div class="oct-playground-sample">
          <CodeView
            request={request}
            languages={operation.settings.languages}
            copyText={operation.tools.copyText}
          />
        </div>
        <div class="oct-playground-side">
          <Missings
            found={asked}
            onAsk={setWanted}
            onSend={missing.length === 0 ? sendAnyway : undefined}
          />
          <Problems found={problems} onAsk={setWanted} />
          <LastResponse sending={sending} operation={operation} />
          <ShareButton operation={operation} state={state} />
        </div>
      </div>
    </div>
  )
}

/** Asks for what is missing before the request is sent. */
function useQuestion(input: {
  readonly operation: Operation
  readonly state: RequestState
  readonly latest: () => RequestState
  readonly onSend: Sending['send']
  readonly onAsk: (field: string | undefined) => void
}) {
  const { operation, state, latest, onSend, onAsk } = input
  const [isAsked, setAsked] = useState(false)
  const asked = useMemo(
    () => (isAsked ? missingFields(operation, state) : []),
    [isAsked, operation, state],
  )
  const sendAnyway = () => {
    setAsked(false)
    onSend(latest(), operation)
  }
  const send = () => {
    // A path without its parameters is no address, so this request cannot be sent at all.
    const [first] = missingInPath(operation, latest())
    const field =
      first === undefined ? missingFields(operation, latest())[0]?.field : fieldOf(first)
    if (field === undefined) return sendAnyway()
    setAsked(true)
    onAsk(field)
  }
  return { asked, missing: isAsked ? missingInPath(operation, state) : [], send, sendAnyway }
}

/** Sends with Ctrl or Command and Enter, wherever in the element the focus is. */
function useSendKeys(send: () => void): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      send()
    }
    const { current } = box
    current?.addEventListener('keydown', onKeyDown)
    return () => current?.removeEventListener('keydown', onKeyDown)
  })
  return box
}

/** Returns the operation with all parts that were asked for and have arrived. */
function useLoadedParts(first: Operation): Operation {
  const [operation, setOperation] = useState(first)
  useEffect(
    () => operation.library.watch((library) => setOperation({ ...operation, library })),
    [operation],
  )
  return operation
}

type Sending = ReturnType<typeof useSendRequest>

function RequestForm(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly problems: ReturnType<typeof useProblems>
  readonly missing: ReturnType<typeof missingInPath>
  readonly wanted: string | undefined
}): JSX.Element {
  const { operation, state, change, problems, missing, wanted } = props
  const words = useWords()
  const differences = useMemo(() => problems.flatMap((one) => one.inBody ?? []), [problems])
  const setBody = useCallback(
    (path: string, value: Json | undefined) =>
      change((old) => ({ ...old, body: setAt(old.body, path, value) })),
    [change],
  )
  const common = { operation, state, change }
  return (
    <form
      class="oct-playground-request"
      onSubmit={(event) => event.preventDefault()}
      aria-label={words.request}
    >
      <ServerVariables {...common} />
      <SecurityEditor {...common} wanted={wanted} />
      <Parameters {...common} wanted={wanted} missing={missing} />
      <BodyEditor {...common} differences={differences} wanted={wanted} onSet={setBody} />
    </form>
  )
}

/** Shows the last response, or the reason why there is no response. */
function LastResponse({
  sending: { answer, problem },
  operation,
}: {
  readonly sending: Sending
  readonly operation: Operation
}): JSX.Element {
  const words = useWords()
  return (
    <>
      {/* Screen readers ignore the page's status line while a dialog is open. */}
      <p class="oct-try-status" role="status">
        {answer?.isDone === true && `${words.response} ${answer.status}`}
      </p>
      {problem !== undefined && (
        <p class="oct-try-problem" role="alert">
          {problem}
        </p>
      )}
      {answer === undefined ? (
        <p class="oct-playground-empty">{words.tryEmpty}</p>
      ) : (
        <AnswerView answer={answer} operation={operation} />
      )}
    </>
  )
}

/** Opens the ancestors of a field and then focuses it. */
function useFocusedField() {
  const [wanted, setWanted] = useState<string>()
  useEffect(() => {
    if (wanted === undefined) return
    const control = document.getElementById(idOf(wanted)) ?? document.getElementById(BODY_ID)
    control?.focus()
    setWanted(undefined)
  }, [wanted])
  return { wanted, setWanted }
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
    <p class="oct-try-share">
      <button type="button" onClick={share}>
        {words.tryCopyLink}
      </button>{' '}
      <span class="oct-try-note">{words.tryNoSecrets}</span>
    </p>
  )
}

function useSendRequest() {
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const [isAtWork, setAtWork] = useState(false)
  const control = useRef<AbortController>(undefined)
  const known = useRef<Promise<boolean>>(undefined)
  const send = (state: RequestState, operation: Operation) => {
    const request = throughMock(operation, state, buildRequest(operation, state, 'send'))
    const own = new AbortController()
    control.current = own
    setProblem(undefined)
    setAnswer(undefined)
    setAtWork(true)
    // Chunks may arrive faster than they can be rendered, so only the latest state is rendered.
    let latest: Answer | undefined
    let status = 0
    const draw = () => {
      if (latest !== undefined) setAnswer(latest)
      latest = undefined
    }
    const onProgress = (next: Answer) => {
      if (latest === undefined) requestAnimationFrame(draw)
      latest = next
      status = next.status
    }
    const { credentials, proxy } = operation.settings
    const hasProxy = async () => {
      // The proxy is checked only once while the playground is open.
      if (proxy) known.current ??= hostHasProxy()
      return (await known.current) === true
    }
    const { files } = state
    sendRequest(request, { files, credentials, hasProxy, signal: own.signal, onProgress })
      .then(setAnswer)
      .catch((error: unknown) => setProblem(explain(error, request.url, operation.settings.words)))
      .finally(() => {
        setAtWork(false)
        // Only the outcome is reported, not the content.
        const path = pagePath(location.pathname)
        reportEvent({ type: 'playground', path, outcome: outcomeOf(status) })
      })
  }
  return { answer, problem, isAtWork, send, cancel: () => control.current?.abort() }
}

/**
 * Returns the outcome of a request. Status 0 means that there was no response; a response that was
 * interrupted has a status.
 */
function outcomeOf(status: number): PlaygroundOutcome {
  if (status === 0) return 'failed'
  if (status < 400) return 'success'
  return status < 500 ? 'client-error' : 'server-error'
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
