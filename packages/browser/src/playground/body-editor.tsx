/** The body: its media type, fields or JSON, and files. */
import type { Json } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenMedia, FORM_TYPE, isBinary, isFile } from './build-request.ts'
import type { Difference } from './check-value.ts'
import { FieldEditor } from './field-editor.tsx'
import { JsonEditor } from './json-editor.tsx'
import {
  initialBody,
  isJson,
  type Operation,
  type RequestState,
  withEntry,
} from './request-state.ts'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'

/** Of the body as a whole. */
export const BODY_ID = 'oct-try-body'

export function BodyEditor(props: {
  readonly operation: Operation
  readonly state: RequestState
  readonly change: Change
  readonly onSet: (path: string, value: Json | undefined) => void
  readonly differences: readonly Difference[]
  readonly wanted: string | undefined
}): JSX.Element | null {
  const { operation, state, change, onSet, differences, wanted } = props
  const [isRaw, setRaw] = useState(false)
  const words = useWords()
  const { body, library } = operation
  const media = chosenMedia(body, state)
  if (body === undefined || media === undefined) return null
  const { type, schema } = media
  const isForm = type === FORM_TYPE || type.startsWith('multipart/')
  const hasFields = (isJson(type) || isForm) && schema !== undefined
  const setFiles = (name: string, files: readonly File[]) =>
    change((old) => ({ ...old, files: withEntry(old.files, name, files) }))
  return (
    <fieldset>
      <legend>{words.apiBody}</legend>
      <div class="oct-try-row">
        {body.content.length > 1 ? (
          <select
            aria-label={words.tryMediaType}
            value={type}
            onChange={({ currentTarget: { value } }) =>
              change((old) => {
                const next = body.content.find((one) => one.type === value)
                return {
                  ...old,
                  mediaType: value,
                  body: next && initialBody(next, body, operation),
                  files: new Map(),
                }
              })
            }
          >
            {body.content.map((one) => (
              <option key={one.type}>{one.type}</option>
            ))}
          </select>
        ) : (
          <span class="oct-field-type">{type}</span>
        )}
        {isJson(type) && (
          <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? words.tryEditFields : words.tryEditJson}
          </button>
        )}
      </div>
      {hasFields && !isRaw && (
        <FieldEditor
          key={type}
          schema={isForm ? withoutFiles(operation, media.schema ?? {}) : schema}
          library={library}
          onSet={onSet}
          wanted={wanted}
          value={state.body}
          path={''}
          label={''}
          required={true}
        />
      )}
      {(isJson(type) && (isRaw || schema === undefined) && (
        <JsonEditor
          id={BODY_ID}
          label="JSON"
          rows={12}
          value={state.body}
          differences={differences}
          onSet={(value) => change((old) => ({ ...old, body: value }))}
        />
      )) ||
        null}
      {type.startsWith('multipart/') &&
        fileFields(operation, media.schema ?? {}).map((name) => (
          <FileField key={name} name={name} onFiles={(files) => setFiles(name, files)} />
        ))}
      {!hasFields &&
        !isJson(type) &&
        (isBinary(type) ? (
          <FileField name="file" onFiles={(files) => setFiles('', files)} />
        ) : (
          <textarea
            aria-label={words.tryText}
            rows={8}
            value={typeof state.body === 'string' ? state.body : ''}
            onInput={({ currentTarget: { value } }) => change((old) => ({ ...old, body: value }))}
          />
        ))}
    </fieldset>
  )
}

type Schema = NonNullable<NonNullable<ReturnType<typeof chosenMedia>>['schema']>

function fileFields({ library }: Operation, schema: Schema): readonly string[] {
  return (library.merged(schema).properties ?? [])
    .filter((property) => isFile(property.schema, library.merged))
    .map(({ name }) => name)
}

/** Files have fields of their own kind. */
function withoutFiles({ library }: Operation, schema: Schema): Schema {
  const merged = library.merged(schema)
  const files = new Set(fileFields({ library } as Operation, schema))
  if (files.size === 0) return schema
  const properties = (merged.properties ?? []).filter(({ name }) => !files.has(name))
  return { types: ['object'], properties, additional: merged.additional ?? false }
}

function FileField(props: {
  readonly name: string
  readonly onFiles: (files: readonly File[]) => void
}): JSX.Element {
  return (
    <div class="oct-try-field">
      <label class="oct-try-label">
        <code>{props.name}</code> <span class="oct-field-type">{useWords().tryFile}</span>
        <input
          type="file"
          multiple
          onChange={({ currentTarget: { files } }) => props.onFiles([...(files ?? [])])}
        />
      </label>
    </div>
  )
}
