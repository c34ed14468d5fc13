/** One value of a request: a field that fits its schema, or fields for what is inside it. */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'
import type { JSX } from 'preact'
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import { isList } from './check-value.ts'
import { JsonEditor } from './json-editor.tsx'
import type { PartLibrary } from './part-library.ts'
import { SecretInput } from './secret-input.tsx'
import { useGrowing } from './use-growing.ts'
import { childPath } from './value-path.ts'

export type FieldProps = {
  readonly schema: SchemaData
  readonly value: Json | undefined
  /** From the value that is edited as a whole: see `value-path.ts`. */
  readonly path: string
  readonly label: string
  readonly required: boolean
  readonly library: PartLibrary
  readonly onSet: (path: string, value: Json | undefined) => void
}

/** Deeper values are edited as JSON. */
const DEPTH_MAX = 8

/** Only fields whose value changed are drawn again: a body may have hundreds. */
export const FieldEditor = memo(PlainField)

function PlainField(props: FieldProps): JSX.Element {
  const merged = props.library.merged(props.schema)
  if (merged.const !== undefined) return <ConstantField {...props} merged={merged} />
  const choice = merged.choices[0]
  if (choice !== undefined) return <ChoiceField {...props} merged={merged} options={choice.of} />
  if (merged.enum !== undefined) return <EnumField {...props} values={merged.enum} />
  const depth = props.path.split('/').length
  const [type] = (merged.types ?? []).filter((one) => one !== 'null')
  if (type === 'boolean') return <EnumField {...props} values={[true, false]} />
  if (type === 'integer' || type === 'number') return <NumberField {...props} merged={merged} />
  if (type === 'string') return <TextField {...props} merged={merged} />
  if (depth <= DEPTH_MAX && type === 'array') return <ListField {...props} merged={merged} />
  if (depth <= DEPTH_MAX && (type === 'object' || merged.properties !== undefined)) {
    return <ObjectField {...props} merged={merged} />
  }
  return <JsonField {...props} />
}

export function idOf(path: string): string {
  return `oct-try-${encodeURIComponent(path)}`
}

function Label({ label, required, path, type }: FieldProps & { readonly type: string }) {
  return (
    <label class="oct-try-label" for={idOf(path)}>
      <code>{label}</code> <span class="oct-field-type">{type}</span>
      {required && <span class="oct-field-required">required</span>}
    </label>
  )
}

type MergedProps = FieldProps & { readonly merged: MergedSchema }

function TextField(props: MergedProps): JSX.Element {
  const { merged, value, path, onSet, required } = props
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  const placeholder = merged.examples?.[0] ?? merged.default?.value
  const common = {
    id: idOf(path),
    value: shown,
    'aria-required': required,
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

/** What is no number yet stays as it is typed, and is told. */
function NumberField(props: MergedProps): JSX.Element {
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
        value={value === undefined ? '' : String(value)}
        {...(placeholder === undefined ? {} : { placeholder: String(placeholder) })}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value.trim()
          const number = Number(text)
          // `1.` and `-` are on the way to a number.
          const isNumber = text !== '' && String(number) === text
          onSet(path, text === '' ? undefined : isNumber ? number : text)
        }}
      />
    </div>
  )
}

function EnumField(props: FieldProps & { readonly values: readonly Json[] }): JSX.Element {
  const { values, value, path, onSet, required } = props
  const chosen = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value))
  return (
    <div class="oct-try-field">
      <Label {...props} type={values.length === 2 && values[0] === true ? 'boolean' : 'enum'} />
      <select
        id={idOf(path)}
        aria-required={required}
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

function ConstantField(props: MergedProps): JSX.Element {
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

function Section({
  label,
  type,
  required,
  isOpen,
  children,
}: {
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly isOpen: boolean
  readonly children: () => JSX.Element
}): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  return (
    <details
      class="oct-try-section"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <code>{label}</code> <span class="oct-field-type">{type}</span>
        {required && <span class="oct-field-required">required</span>}
      </summary>
      {/* What is closed is not made: schemas may have no end. */}
      {open && <div>{children()}</div>}
    </details>
  )
}

function ObjectField(props: MergedProps): JSX.Element {
  const { merged, value, path, label, required, library, onSet } = props
  const fields = isObject(value) ? value : {}
  const shown = useGrowing(merged.properties?.length ?? 0)
  const known = new Set(merged.properties?.map(({ name }) => name))
  const more = Object.keys(fields).filter((name) => !known.has(name))
  const content = () => (
    <>
      {merged.properties
        ?.slice(0, shown)
        .map(({ name, required: isRequired, schema }) =>
          library.merged(schema).readOnly ? null : (
            <FieldEditor
              key={name}
              {...{ schema, library, onSet, label: name, path: childPath(path, name) }}
              value={Object.hasOwn(fields, name) ? fields[name] : undefined}
              required={isRequired === true}
            />
          ),
        )}
      {more.map((name) => (
        <FieldEditor
          key={`more ${name}`}
          schema={typeof merged.additional === 'object' ? merged.additional : {}}
          {...{ library, onSet, label: name, path: childPath(path, name), required: false }}
          value={fields[name]}
        />
      ))}
      {merged.additional !== false && (merged.additional !== undefined || known.size === 0) && (
        <AddName onAdd={(name) => onSet(childPath(path, name), '')} />
      )}
    </>
  )
  if (label === '') return content()
  return (
    <Section {...{ label, required }} type="object" isOpen={required || value !== undefined}>
      {content}
    </Section>
  )
}

function AddName({ onAdd }: { readonly onAdd: (name: string) => void }): JSX.Element {
  const [name, setName] = useState('')
  const add = () => {
    if (name !== '') onAdd(name)
    setName('')
  }
  return (
    <div class="oct-try-add">
      <input
        aria-label="Name of a further field"
        placeholder="name"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="button" onClick={add}>
        Add field
      </button>
    </div>
  )
}

function ListField(props: MergedProps): JSX.Element {
  const { merged, value, path, label, required, library, onSet } = props
  const items = value !== undefined && value !== null && isList(value) ? value : []
  const schema = merged.items ?? {}
  const content = () => (
    <>
      {items.map((item, index) => (
        <div class="oct-try-item" key={index}>
          <FieldEditor
            {...{ schema, library, onSet, value: item, required: true }}
            label={`[${index}]`}
            path={childPath(path, index)}
          />
          <button
            type="button"
            aria-label={`Remove item ${index}`}
            onClick={() => onSet(childPath(path, index), undefined)}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        class="oct-try-plus"
        onClick={() => onSet(path, [...items, emptyValue(library.merged(schema))])}
      >
        Add item
      </button>
    </>
  )
  return (
    <Section
      {...{ label, required }}
      type="array"
      isOpen={label === '' || items.length > 0 || required}
    >
      {content}
    </Section>
  )
}

/** One of several: the reader says which, and what fits it stays. */
function ChoiceField(
  props: MergedProps & { readonly options: readonly SchemaData[] },
): JSX.Element {
  const { merged, options, value, path, label, library, onSet, required } = props
  const mapping = merged.discriminator?.mapping ?? []
  const named = merged.discriminator?.property
  const valueName = named !== undefined && isObject(value) ? value[named] : undefined
  const byName = options.findIndex(({ ref }) =>
    mapping.some(([name, target]) => target === ref && name === valueName),
  )
  const [chosen, setChosen] = useState(() => Math.max(0, byName, guess(options, value, library)))
  const option = options[chosen] ?? {}
  const choose = (index: number) => {
    setChosen(index)
    const next = options[index] ?? {}
    const name = mapping.find(([, ref]) => ref === next.ref)?.[0]
    const empty = emptyValue(library.merged(next))
    const tagged = named !== undefined && name !== undefined && isObject(empty)
    onSet(path, tagged ? { [named]: name } : empty)
  }
  // What all alternatives share stands before them.
  const { choices: _, ...shared } = merged
  return (
    <div class="oct-try-choice">
      <label class="oct-try-label">
        {label !== '' && <code>{label}</code>} <span class="oct-field-type">one of</span>
        <select
          value={String(chosen)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {options.map((one, index) => (
            <option key={index} value={String(index)}>
              {mapping.find(([, ref]) => ref === one.ref)?.[0] ?? optionName(one, library, index)}
            </option>
          ))}
        </select>
      </label>
      {shared.properties !== undefined && (
        <ObjectField {...props} label="" merged={{ ...shared, choices: [], additional: false }} />
      )}
      <FieldEditor
        key={chosen}
        schema={option}
        {...{ value, path, library, onSet, required }}
        label={library.merged(option).properties === undefined ? label || 'value' : ''}
      />
    </div>
  )
}

function guess(
  options: readonly SchemaData[],
  value: Json | undefined,
  library: PartLibrary,
): number {
  if (value === undefined) return 0
  return options.findIndex((option) => {
    const { types, properties } = library.merged(option)
    if (isObject(value)) return properties?.some(({ name }) => Object.hasOwn(value, name)) === true
    const type = isList(value) ? 'array' : value === null ? 'null' : typeof value
    return types?.some((one) => one === type || (one === 'integer' && type === 'number')) === true
  })
}

function optionName(option: SchemaData, library: PartLibrary, index: number): string {
  const { title, types } = library.merged(option)
  return title ?? option.ref?.split('/').at(-1) ?? types?.join(' | ') ?? `Option ${index + 1}`
}

function JsonField(props: FieldProps): JSX.Element {
  const { value, path, onSet } = props
  return (
    <div class="oct-try-field">
      <Label {...props} type="JSON" />
      <JsonEditor id={idOf(path)} value={value} onSet={(next) => onSet(path, next)} rows={3} />
    </div>
  )
}

function emptyValue(merged: MergedSchema): Json {
  if (merged.default !== undefined) return merged.default.value
  if (merged.const !== undefined) return merged.const.value
  const [type] = merged.types ?? []
  if (type === 'object' || merged.properties !== undefined) return {}
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  return merged.enum?.[0] ?? ''
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
