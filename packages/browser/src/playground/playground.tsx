/** The playground of one operation. */
import type { PlaygroundOutcome } from '@octavo/model/site-event'
import type { Json } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pagePath, reportEvent } from '../page/site-base.ts'
import { AnswerView } from './answer-view.tsx'
import { BODY_ID, BodyEditor } from './body-editor.tsx'
import { buildRequest, missingInPath } from './build-request.ts'
import { CodeView } from './code-view.tsx'
import { fieldOf, Parameters } from './parameter-fields.tsx'
import { idOf } from './plain-fields.tsx'
import { Problems, useProblems } from './request-problems.tsx'
import type { Operation, RequestState } from './request-state.ts'
import { SecurityEditor, ServerEditor } from './security-editor.tsx'
import { type Answer, sendRequest } from './send-request.ts'
import { hostHasProxy } from './send-through-host.ts'
import { printLink } from './share-link.ts'
import { type Change, useRequestState } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { setAt } from './value-path.ts'

export function Playground(props: {
  readonly operation: Operation
  readonly first: RequestState
  readonly onClose: () => void
}): JSX.Element {
  const { operation } = props
  const { state, latest, change } = useRequestState(props.first)
  const request = useMemo(() => buildRequest(operation, state, 'code'), [operation, state])
  const { url } = useMemo(() => buildRequest(operation, state, 'send'), [operation, state])
  // An untouched form shows no problems.
  const problems = useProblems(operation, state === props.first ? undefined : state)
  const { wanted, setWanted } = useFocusedField()
  const sending = useSendRequest()
  const [hasTried, setTried] = useState(false)
  const missing = hasTried ? missingInPath(operation, state) : []
  const send = () => {
    const [first] = missingInPath(operation, latest.current)
    setTried(true)
    if (first === undefined) sending.send(latest.current, operation)
    else setWanted(fieldOf(first))
  }
  return (
    <div class="oct-playground">
      <Head
        method={operation.page.method}
        url={url}
        sending={sending}
        onSend={send}
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
          <Problems found={problems} onAsk={setWanted} />
          <LastResponse sending={sending} operation={operation} />
          <ShareButton operation={operation} state={state} />
        </div>
      </div>
    </div>
  )
}

type Sending = ReturnType<typeof useSendRequest>

function Head(props: {
  readonly method: string
  readonly url: string
  readonly sending: Sending
  readonly onSend: () => void
  readonly onClose: () => void
}): JSX.Element {
  const { method, url, sending } = props
  const words = useWords()
  return (
    <header>
      <strong class={`oct-method oct-method-${method.toLowerCase()}`}>{method}</strong>
      <code title={url} dir="ltr">
        {url}
      </code>
      {sending.isAtWork ? (
        <button class="oct-send" type="button" onClick={sending.cancel}>
          {words.tryCancel}
        </button>
      ) : (
        <button class="oct-send" type="button" onClick={props.onSend}>
          {words.trySend}
        </button>
      )}
      <button class="oct-try-close" type="button" aria-label={words.close} onClick={props.onClose}>
        ×
      </button>
    </header>
  )
}

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
      <ServerEditor {...common} />
      <SecurityEditor {...common} />
      <Parameters {...common} wanted={wanted} missing={missing} />
      <BodyEditor {...common} differences={differences} wanted={wanted} onSet={setBody} />
    </form>
  )
}

/** Shows the last response, or why there is none. */
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
    const request = buildRequest(operation, state, 'send')
    const own = new AbortController()
    control.current = own
    setProblem(undefined)
    setAnswer(undefined)
    setAtWork(true)
    // Chunks may arrive faster than they can be rendered.
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
      // Checked once per opened playground.
      if (proxy) known.current ??= hostHasProxy()
      return (await known.current) === true
    }
    const { files } = state
    sendRequest(request, { files, credentials, hasProxy, signal: own.signal, onProgress })
      .then(setAnswer)
      .catch((error: unknown) => setProblem(explain(error, request.url, operation.settings.words)))
      .finally(() => {
        setAtWork(false)
        // Reports only the outcome, not the content.
        const path = pagePath(location.pathname)
        reportEvent({ type: 'playground', path, outcome: outcomeOf(status) })
      })
  }
  return { answer, problem, isAtWork, send, cancel: () => control.current?.abort() }
}

/** Without a status, there was no response; a response that was cut off has one. */
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
