/** Shows the parameters of a request, grouped by location. */
import type { Json, ParameterData } from '@octavo/openapi/browser'
import { PARAMETER_PLACES } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useCallback } from 'preact/hooks'
import { FieldEditor } from './field-editor.tsx'
import { Fold } from './fold.tsx'
import { keyOf, type Operation, type RequestState, withEntry } from './request-state.ts'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { isWithin, setAt } from './value-path.ts'

export function Parameters(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly wanted: string | undefined
  /** Missing parameters; empty until the reader has tried to send the request. */
  readonly missing: readonly ParameterData[]
}): JSX.Element {
  const { operation, state, change, wanted, missing } = props
  const { library } = operation
  const words = useWords()
  return (
    <>
      {PARAMETER_PLACES.map(([place, title]) => {
        const here = operation.parameters.filter((one) => one.in === place)
        if (here.length === 0) return null
        const isShort = place === 'query' && here.length <= OPEN_MAX
        return (
          <Fold
            key={place}
            title={words[title]}
            hint={countOf(here, words.required)}
            isOpen={here.some((one) => one.required || state.parameters.has(keyOf(one))) || isShort}
            isWanted={here.some((one) => isWithin(wanted, fieldOf(one)))}
          >
            {here.map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                library={library}
                state={state}
                change={change}
                wanted={wanted}
                isMissing={missing.includes(parameter)}
              />
            ))}
          </Fold>
        )
      })}
    </>
  )
}

/** Optional parameters in the query are shown at once if there are at most this many. */
const OPEN_MAX = 12

function countOf(parameters: readonly ParameterData[], required: string): string {
  const count = parameters.filter((one) => one.required).length
  const all = count === parameters.length ? '' : String(parameters.length)
  return [all, count > 0 && `${count} ${required}`].filter(Boolean).join(' · ')
}

function ParameterField(props: {
  readonly parameter: ParameterData
  readonly library: Operation['library']
  readonly state: RequestState
  readonly change: Change
  readonly wanted: string | undefined
  readonly isMissing: boolean
}): JSX.Element {
  const { parameter, library, state, change, wanted, isMissing } = props
  const key = keyOf(parameter)
  const root = fieldOf(parameter)
  const words = useWords()
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
      about={parameter.description}
      path={root}
      onSet={set}
      value={state.parameters.get(key)}
      required={parameter.required === true}
      problem={isMissing ? words.tryMissing : undefined}
    />
  )
}

/** Returns the path of a parameter's field, which is unique among all fields. */
export function fieldOf(parameter: ParameterData): string {
  return `/${keyOf(parameter).replaceAll('/', '~1')}`
}

const NO_SCHEMA = { types: ['string'] }
