/** Finds missing or invalid values in a request. */
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { chosenMedia } from './build-request.ts'
import { checkValue, type Difference, printPath } from './check-value.ts'
import { fieldOf } from './parameter-fields.tsx'
import { isJson, keyOf, type Operation, type RequestState } from './request-state.ts'
import { emptySchemes } from './security-editor.tsx'
import { useWords } from './use-words.ts'
import { pathOf } from './value-path.ts'

export type Problem = Difference & {
  /** The path of the field with the problem. */
  readonly field: string
  /**
   * The difference from the schema if the problem is in the body, with a path relative to the body.
   */
  readonly inBody: Difference | undefined
}

/** Checks wait this long after a change, so that typing stays fast. */
const CHECK_DELAY_MS = 120

export function useProblems(
  operation: Operation,
  state: RequestState | undefined,
): readonly Problem[] {
  const [found, setFound] = useState<readonly Problem[]>([])
  useEffect(() => {
    if (state === undefined) return undefined
    const timer = setTimeout(() => setFound(problemsOf(operation, state)), CHECK_DELAY_MS)
    return () => clearTimeout(timer)
  }, [operation, state])
  return found
}

/** Returns what the specification requires and the reader has left empty. */
export function missingFields(operation: Operation, state: RequestState): readonly Missing[] {
  const { tryMissing } = operation.settings.words
  const missing = problemsOf(operation, state).filter(({ message }) => message === tryMissing)
  return [
    ...emptySchemes(operation, state),
    ...missing.map(({ path, field }) => ({ name: printPath(path), field })),
  ]
}

export type Missing = { readonly name: string; readonly field: string }

/**
 * Returns the missing or invalid values. They do not prevent sending the request, since some
 * readers want to see what happens.
 */
function problemsOf(operation: Operation, state: RequestState): readonly Problem[] {
  const { library, parameters } = operation
  const { words } = operation.settings
  const options = { merged: library.merged, direction: 'request', words } as const
  const inParameters = parameters.flatMap((parameter): Problem[] => {
    const root = fieldOf(parameter)
    const value = state.parameters.get(keyOf(parameter))
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

/** Asks before a request is sent in which something is missing. */
export function Missings(props: {
  readonly found: readonly Missing[]
  readonly onAsk: (field: string) => void
  /** Undefined if the request cannot be sent like this. */
  readonly onSend: (() => void) | undefined
}): JSX.Element | null {
  const { found, onAsk, onSend } = props
  const words = useWords()
  if (found.length === 0) return null
  return (
    <div class="oct-try-problems oct-try-missing" role="alert">
      <ul>
        {found.map(({ name, field }) => (
          <li key={field}>
            <button type="button" onClick={() => onAsk(field)}>
              <code>{name}</code> {words.tryMissing}
            </button>
          </li>
        ))}
      </ul>
      {onSend !== undefined && (
        <button type="button" onClick={onSend}>
          {words.tryAnyway}
        </button>
      )}
    </div>
  )
}

export function Problems(props: {
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
