/** The parameters of a request, grouped by where they are sent. */
import type { Json, ParameterData } from '@octavo/openapi/browser'
import { PARAMETER_PLACES } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { useCallback } from 'preact/hooks'
import { FieldEditor } from './field-editor.tsx'
import { keyOf, type Operation, type RequestState, withEntry } from './request-state.ts'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { setAt } from './value-path.ts'

export function Parameters(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly wanted: string | undefined
  /** Parameters that prevented sending, after the reader has tried to send. */
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
                isMissing={missing.includes(parameter)}
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

/** The path of a parameter's field among all fields. */
export function fieldOf(parameter: ParameterData): string {
  return `/${keyOf(parameter).replaceAll('/', '~1')}`
}

const NO_SCHEMA = { types: ['string'] }
