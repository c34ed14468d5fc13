/** Edits the request body: its media type, fields or JSON, and files. */
import type { Json, SchemaData } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { chosenMedia, FORM_TYPE, isBinary, isFile } from './build-request.ts'
import { type Difference, isList } from './check-value.ts'
import { FieldEditor } from './field-editor.tsx'
import { Fold } from './fold.tsx'
import { JsonEditor } from './json-editor.tsx'
import { idOf } from './plain-fields.tsx'
import {
  initialBody,
  isJson,
  type Operation,
  type RequestState,
  withEntry,
} from './request-state.ts'
import type { Change } from './use-request-state.ts'
import { useWords } from './use-words.ts'
import { childPath } from './value-path.ts'

/** The ID of the control for the whole body. */
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
  const { body } = operation
  const media = chosenMedia(body, state)
  if (body === undefined || media === undefined) return null
  const { type, schema } = media
  const isForm = type === FORM_TYPE || type.startsWith('multipart/')
  const hasFields = (isJson(type) || isForm) && schema !== undefined
  const hasFiles = type.startsWith('multipart/') && hasFileFields(operation, schema)
  const setFiles = (name: string, files: readonly File[]) =>
    change((old) => ({ ...old, files: withEntry(old.files, name, files) }))
  const setFile = (files: readonly File[]) => setFiles('', files)
  const setBody = (value: Json | undefined) => change((old) => ({ ...old, body: value }))
  return (
    <Fold
      title={words.apiBody}
      hint={body.content.length === 1 ? type : undefined}
      isWanted={isBodyField(wanted)}
    >
      <div class="oct-try-row">
        <MediaType operation={operation} body={body} type={type} change={change} />
        {isJson(type) && (
          <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? words.tryEditFields : words.tryEditJson}
          </button>
        )}
      </div>
      {hasFields && (hasFiles || !isRaw) && (
        <BodyFields
          operation={operation}
          type={type}
          schema={schema}
          hasFiles={hasFiles}
          body={state.body}
          wanted={wanted}
          onSet={onSet}
          onFiles={setFiles}
        />
      )}
      {(isJson(type) && (isRaw || schema === undefined) && (
        <JsonEditor
          id={BODY_ID}
          label="JSON"
          rows={12}
          value={state.body}
          differences={differences}
          onSet={setBody}
        />
      )) ||
        null}
      {!hasFields &&
        !isJson(type) &&
        (isBinary(type) ? (
          <FileField name="file" required={body.required === true} onFiles={setFile} />
        ) : (
          <TextField value={state.body} onSet={setBody} />
        ))}
    </Fold>
  )
}

/** Checks whether a field is in the body: the paths of others begin with a place. */
function isBodyField(wanted: string | undefined): boolean {
  return wanted !== undefined && !/^\/\w* /.test(wanted)
}

/**
 * Shows the media type, and lets the reader choose if there are several. Choosing another one
 * resets the body.
 */
function MediaType(props: {
  readonly operation: Operation
  readonly body: NonNullable<Operation['body']>
  readonly type: string
  readonly change: Change
}): JSX.Element | null {
  const { operation, body, type, change } = props
  const words = useWords()
  if (body.content.length < 2) return null
  const choose = (mediaType: string) =>
    change((old) => {
      const next = body.content.find((one) => one.type === mediaType)
      const started = next && initialBody(next, body, operation)
      return { ...old, mediaType, body: started, files: new Map() }
    })
  return (
    <select
      aria-label={words.tryMediaType}
      value={type}
      onChange={({ currentTarget: { value } }) => choose(value)}
    >
      {body.content.map((one) => (
        <option key={one.type}>{one.type}</option>
      ))}
    </select>
  )
}

function TextField(props: {
  readonly value: Json | undefined
  readonly onSet: (value: string) => void
}): JSX.Element {
  const words = useWords()
  return (
    <textarea
      aria-label={words.tryText}
      rows={8}
      value={typeof props.value === 'string' ? props.value : ''}
      onInput={({ currentTarget: { value } }) => props.onSet(value)}
    />
  )
}

function hasFileFields({ library }: Operation, schema: SchemaData | undefined): boolean {
  const { properties = [] } = schema === undefined ? {} : library.merged(schema)
  return properties.some((property) => isFile(property.schema, library.merged))
}

type FieldsProps = {
  readonly operation: Operation
  readonly schema: SchemaData
  readonly body: Json | undefined
  readonly wanted: string | undefined
  readonly onSet: (path: string, value: Json | undefined) => void
  readonly onFiles: (name: string, files: readonly File[]) => void
}

function BodyFields(
  props: FieldsProps & { readonly type: string; readonly hasFiles: boolean },
): JSX.Element {
  const { type, hasFiles, ...fields } = props
  if (hasFiles) return <MultipartFields {...fields} />
  return (
    <FieldEditor
      key={type}
      schema={fields.schema}
      library={fields.operation.library}
      onSet={fields.onSet}
      wanted={fields.wanted}
      value={fields.body}
      path={''}
      label={''}
      required={true}
    />
  )
}

/** Shows fields and files: required ones first, otherwise in the order of the specification. */
function MultipartFields(props: FieldsProps): JSX.Element {
  const { operation, schema, body, onSet, onFiles, wanted } = props
  const { library } = operation
  const { properties = [], additional } = library.merged(schema)
  const ordered = properties.toSorted(
    (a, b) => Number(b.required ?? false) - Number(a.required ?? false),
  )
  const known = new Map(Object.entries(isFields(body) ? body : {}))
  const described = new Set(properties.map(({ name }) => name))
  const others = Object.fromEntries([...known].filter(([name]) => !described.has(name)))
  const common = { library, onSet, wanted }
  return (
    <>
      {ordered.map(({ name, required = false, schema: inner }) =>
        isFile(inner, library.merged) ? (
          <FileField
            key={name}
            name={name}
            required={required}
            onFiles={(files) => onFiles(name, files)}
          />
        ) : (
          <FieldEditor
            key={name}
            schema={inner}
            label={name}
            path={childPath('', name)}
            value={known.get(name)}
            required={required}
            {...common}
          />
        ),
      )}
      {additional !== undefined && additional !== false && (
        <FieldEditor
          schema={{ types: ['object'], additional }}
          label=""
          path=""
          value={others}
          required
          {...common}
        />
      )}
    </>
  )
}

function isFields(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !isList(value)
}

function FileField(props: {
  readonly name: string
  readonly required: boolean
  readonly onFiles: (files: readonly File[]) => void
}): JSX.Element {
  const words = useWords()
  return (
    <div class="oct-try-field">
      <label class="oct-try-label" for={idOf(props.name)}>
        <code>{props.name}</code> <span class="oct-field-type">{words.tryFile}</span>
        {props.required && <span class="oct-field-required">{words.required}</span>}
      </label>
      <input
        id={idOf(props.name)}
        type="file"
        multiple
        onChange={({ currentTarget: { files } }) => props.onFiles([...(files ?? [])])}
      />
    </div>
  )
}
