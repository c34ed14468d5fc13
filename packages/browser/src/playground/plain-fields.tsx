/** Fields that consist of a single control. */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import type { PartLibrary } from './part-library.ts'
import { SecretInput } from './secret-input.tsx'
import { useWords } from './use-words.ts'

export type FieldProps = {
  readonly schema: SchemaData
  readonly value: Json | undefined
  /** The path from the whole edited value to this field: see `value-path.ts`. */
  readonly path: string
  readonly label: string
  readonly required: boolean
  /** The description that is shown if the schema has none. */
  readonly about?: string | undefined
  readonly library: PartLibrary
  readonly onSet: (path: string, value: Json | undefined) => void
  /** The reason why the request cannot be sent, which is shown at the field. */
  readonly problem?: string | undefined
  /** The path of the field to focus. Sections around that field open. */
  readonly wanted?: string | undefined
}

export function idOf(path: string): string {
  return `oct-try-${encodeURIComponent(path)}`
}

export function Label(props: FieldProps & { readonly type: string }): JSX.Element {
  const { label, required, path, type, problem } = props
  const words = useWords()
  const about = aboutField(props)
  return (
    <>
      <label class="oct-try-label" for={idOf(path)}>
        <code>{label}</code> <span class="oct-field-type">{type}</span>
        {required && <span class="oct-field-required">{problem ?? words.required}</span>}
      </label>
      {about !== undefined && (
        <p class="oct-try-help" id={`${idOf(path)}-about`}>
          {about}
        </p>
      )}
    </>
  )
}

function aboutField({ about, schema, library }: FieldProps): string | undefined {
  return about ?? library.merged(schema).description
}

function describedBy(props: FieldProps) {
  const isDescribed = aboutField(props) !== undefined
  return isDescribed ? { 'aria-describedby': `${idOf(props.path)}-about` } : {}
}

export type MergedProps = FieldProps & { readonly merged: MergedSchema }

export function TextField(props: MergedProps): JSX.Element {
  const { merged, value, path, onSet, required } = props
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  const placeholder = merged.examples?.[0] ?? merged.default?.value
  const common = {
    id: idOf(path),
    value: shown,
    'aria-required': required,
    'aria-invalid': props.problem !== undefined,
    ...describedBy(props),
    ...(typeof placeholder === 'string' && { placeholder }),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onSet(path, currentTarget.value === '' ? undefined : currentTarget.value),
  }
  const isLong = shown.includes('\n') || shown.length > 80
  return (
    <div class="oct-try-field">
      <Label {...props} type={merged.format ?? 'string'} />
      {isLong ? (
        <textarea rows={4} {...common} />
      ) : (
        <SecretInput isSecret={merged.format === 'password'} {...common} />
      )}
    </div>
  )
}

/** Edits a number. An incomplete number stays as the reader typed it and is reported. */
export function NumberField(props: MergedProps): JSX.Element {
  const { merged, value, path, onSet, required } = props
  const placeholder = merged.examples?.[0] ?? merged.default?.value
  return (
    <div class="oct-try-field">
      <Label {...props} type={merged.types?.join(' | ') ?? 'number'} />
      <input
        id={idOf(path)}
        inputMode="decimal"
        autocomplete="off"
        aria-required={required}
        aria-invalid={props.problem !== undefined}
        {...describedBy(props)}
        value={value === undefined ? '' : String(value)}
        {...(placeholder === undefined ? {} : { placeholder: String(placeholder) })}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value.trim()
          const number = Number(text)
          // `1.` and `-` are incomplete numbers.
          const isNumber = text !== '' && String(number) === text
          onSet(path, text === '' ? undefined : isNumber ? number : text)
        }}
      />
    </div>
  )
}

export function EnumField(props: FieldProps & { readonly values: readonly Json[] }): JSX.Element {
  const { values, value, path, onSet, required } = props
  const chosen = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))
  return (
    <div class="oct-try-field">
      <Label {...props} type={values.length === 2 && values[0] === true ? 'boolean' : 'enum'} />
      <select
        id={idOf(path)}
        aria-required={required}
        aria-invalid={props.problem !== undefined}
        {...describedBy(props)}
        value={String(chosen)}
        onChange={({ currentTarget }) => onSet(path, values[Number(currentTarget.value)])}
      >
        <option value="-1">–</option>
        {values.map((one, index) => (
          <option key={JSON.stringify(one)} value={String(index)}>
            {typeof one === 'string' ? one : JSON.stringify(one)}
          </option>
        ))}
      </select>
    </div>
  )
}

export function ConstantField(props: MergedProps): JSX.Element {
  const { merged, value, path, onSet, required } = props
  const only = merged.const?.value
  const isSet = value !== undefined
  if (required && !isSet) queueMicrotask(() => onSet(path, only))
  return (
    <div class="oct-try-field">
      <Label {...props} type="constant" />
      <label class="oct-try-check">
        <input
          id={idOf(path)}
          type="checkbox"
          checked={isSet}
          onChange={({ currentTarget }) => onSet(path, currentTarget.checked ? only : undefined)}
        />
        <code>{JSON.stringify(only)}</code>
      </label>
    </div>
  )
}

/** Replaces a field until its schema has arrived. */
export function WaitingField(props: FieldProps): JSX.Element {
  return (
    <div class="oct-try-field" aria-busy="true">
      <Label {...props} type="…" />
    </div>
  )
}
