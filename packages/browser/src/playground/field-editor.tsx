/** Edits one value of a request: a control for its schema, or nested fields. */
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi/browser'
import { fillWords } from '@octavo/theme/browser'
import type { JSX } from 'preact'
import { memo } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { afterPaint } from '../page/after-paint.ts'
import { isList } from './check-value.ts'
import { JsonEditor } from './json-editor.tsx'
import type { PartLibrary } from './part-library.ts'
import {
  ConstantField,
  EnumField,
  type FieldProps,
  idOf,
  Label,
  type MergedProps,
  NumberField,
  TextField,
  WaitingField,
} from './plain-fields.tsx'
import { emptyValue, startValue } from './start-value.ts'
import { useNear } from './use-near.ts'
import { useWords } from './use-words.ts'
import { childPath, isWithin } from './value-path.ts'

/** Values that are nested more deeply are edited as JSON. */
const DEPTH_MAX = 8

/** Filled objects that are nested more deeply are closed at first. */
const OPEN_DEPTH = 3

/** Renders only fields whose value has changed, since a body may have hundreds of them. */
export const FieldEditor = memo(PlainField)

function PlainField(props: FieldProps): JSX.Element {
  const { library, schema } = props
  const merged = library.merged(schema)
  if (merged.const !== undefined) return <ConstantField {...props} merged={merged} />
  const choice = merged.choices[0]
  const all = [schema, ...(choice?.of ?? [])]
  if (all.some((one) => library.isWaiting(one))) return <WaitingField {...props} />
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

function Section({
  label,
  type,
  required,
  isOpen,
  isWanted,
  onOpen,
  children,
}: {
  readonly label: string
  readonly type: string
  readonly required: boolean
  readonly isOpen: boolean
  readonly isWanted: boolean
  readonly onOpen?: () => void
  readonly children: () => JSX.Element
}): JSX.Element {
  const [open, setOpen] = useState(isOpen)
  const words = useWords()
  if (isWanted && !open) setOpen(true)
  return (
    <details
      class="oct-try-section"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !open) onOpen?.()
        setOpen(currentTarget.open)
      }}
    >
      <summary>
        <code>{label}</code> <span class="oct-field-type">{type}</span>
        {required && <span class="oct-field-required">{words.required}</span>}
      </summary>
      {/* Closed parts are not rendered, since schemas may be recursive. */}
      {open && <div>{children()}</div>}
    </details>
  )
}

function ObjectField(props: MergedProps): JSX.Element {
  const { merged, value, path, label, required, library, onSet, wanted } = props
  const fields = isObject(value) ? value : {}
  const known = new Set(merged.properties?.map(({ name }) => name))
  const more = Object.keys(fields).filter((name) => !known.has(name))
  const content = () => (
    <>
      {runsOf(merged).map((run, index) => (
        <FieldRun
          key={index}
          run={run}
          fields={fields}
          path={path}
          library={library}
          onSet={onSet}
          wanted={wanted}
          isFirst={index === 0}
        />
      ))}
      {more.map((name) => (
        <FieldEditor
          key={`more ${name}`}
          schema={typeof merged.additional === 'object' ? merged.additional : {}}
          library={library}
          onSet={onSet}
          label={name}
          path={childPath(path, name)}
          required={false}
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
    <Section
      label={label}
      required={required}
      isWanted={isWithin(wanted, path)}
      type="object"
      isOpen={required || (value !== undefined && path.split('/').length <= OPEN_DEPTH)}
      onOpen={() => {
        const start = startValue(props.schema, { merged: library.merged, useDefaults: true })
        const isFilled = isObject(start) && Object.keys(start).length > 0
        if (value === undefined && isFilled) onSet(path, start)
      }}
    >
      {content}
    </Section>
  )
}

type Properties = NonNullable<MergedSchema['properties']>
type Fields = Readonly<Record<string, Json>>

/** How many fields are rendered together. */
const RUN_LENGTH = 10
const knownRuns = new WeakMap<Properties, readonly Properties[]>()

/** Splits properties into runs. The runs of a list are always the same objects. */
function runsOf({ properties = [] }: MergedSchema): readonly Properties[] {
  const known = knownRuns.get(properties)
  if (known !== undefined) return known
  const count = Math.ceil(properties.length / RUN_LENGTH)
  const runs = Array.from({ length: count }, (_, index) =>
    properties.slice(index * RUN_LENGTH, (index + 1) * RUN_LENGTH),
  )
  knownRuns.set(properties, runs)
  return runs
}

type RunProps = Pick<FieldProps, 'path' | 'library' | 'onSet' | 'wanted'> & {
  readonly run: Properties
  readonly fields: Fields
  readonly isFirst: boolean
}

/**
 * Renders fields only if they are near the viewport: on each key press, browsers check all controls
 * of a form for autofill, and hundreds of controls make typing slow.
 */
const FieldRun = memo(PlainRun, isSameRun)

function PlainRun(props: RunProps): JSX.Element {
  const { run, fields, path, library, onSet, isFirst, wanted } = props
  const place = useRef<HTMLDivElement>(null)
  const isNear = useNear(place, isFirst || containsFocusedField(props))
  const roomFor = run.length * FIELD_HEIGHT_REM
  return (
    <div ref={place} style={isNear ? undefined : { blockSize: `${roomFor}rem` }}>
      {isNear &&
        run.map(({ name, required, schema }) =>
          library.merged(schema).readOnly ? null : (
            <FieldEditor
              key={name}
              schema={schema}
              library={library}
              onSet={onSet}
              wanted={wanted}
              label={name}
              path={childPath(path, name)}
              value={ownValue(fields, name)}
              required={required === true}
            />
          ),
        )}
    </div>
  )
}

/** The estimated height of a field that is not rendered. */
const FIELD_HEIGHT_REM = 4.25

/** Compares the props of a run, so that a change in one run does not render the others again. */
function isSameRun(old: RunProps, next: RunProps): boolean {
  if (old.run !== next.run || old.path !== next.path || old.onSet !== next.onSet) return false
  if (old.wanted !== next.wanted && (containsFocusedField(old) || containsFocusedField(next)))
    return false
  return next.run.every(({ name }) => ownValue(old.fields, name) === ownValue(next.fields, name))
}

function containsFocusedField({ run, path, wanted }: RunProps): boolean {
  return run.some(({ name }) => isWithin(wanted, childPath(path, name)))
}

function ownValue(fields: Fields, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function AddName({ onAdd }: { readonly onAdd: (name: string) => void }): JSX.Element {
  const [name, setName] = useState('')
  const words = useWords()
  const add = () => {
    if (name !== '') onAdd(name)
    setName('')
  }
  return (
    <div class="oct-try-add">
      <input
        aria-label={words.tryFieldName}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="button" onClick={add}>
        {words.tryAddField}
      </button>
    </div>
  )
}

function ListField(props: MergedProps): JSX.Element {
  const { merged, value, path, label, required, library, onSet, wanted } = props
  const items = value !== undefined && value !== null && isList(value) ? value : []
  const schema = merged.items ?? {}
  const words = useWords()
  const content = () => (
    <>
      {items.map((item, index) => (
        <div class="oct-try-item" key={index}>
          <FieldEditor
            schema={schema}
            library={library}
            onSet={onSet}
            wanted={wanted}
            value={item}
            required={true}
            label={`[${index}]`}
            path={childPath(path, index)}
          />
          <button
            type="button"
            aria-label={fillWords(words.tryRemoveItem, { number: index })}
            onClick={() => onSet(childPath(path, index), undefined)}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        class="oct-try-plus"
        onClick={() => onSet(path, [...items, emptyValue(schema, library.merged)])}
      >
        {words.tryAddItem}
      </button>
    </>
  )
  return (
    <Section
      label={label}
      required={required}
      isWanted={isWithin(wanted, path)}
      type="array"
      isOpen={label === '' || items.length > 0 || required}
    >
      {content}
    </Section>
  )
}

/**
 * Lets the reader choose one of several alternatives. At first, an alternative that matches the
 * value is selected.
 */
function ChoiceField(
  props: MergedProps & { readonly options: readonly SchemaData[] },
): JSX.Element {
  const { merged, options, value, path, label, library, onSet, required, wanted } = props
  const words = useWords()
  const mapping = merged.discriminator?.mapping ?? []
  const named = merged.discriminator?.property
  const valueName = named !== undefined && isObject(value) ? value[named] : undefined
  const byName = options.findIndex(({ ref }) =>
    mapping.some(([name, target]) => target === ref && name === valueName),
  )
  const [chosen, setChosen] = useState(() => Math.max(0, byName, guess(options, value, library)))
  const option = options[chosen] ?? {}
  const choose = (index: number) => {
    // The select element changes immediately; rendering the fields, possibly hundreds, can wait.
    afterPaint(() => setChosen(index))
    const next = options[index] ?? {}
    const name = mapping.find(([, ref]) => ref === next.ref)?.[0]
    const empty = emptyValue(next, library.merged)
    const tagged = named !== undefined && name !== undefined && isObject(empty)
    onSet(path, tagged ? { ...empty, [named]: name } : empty)
  }
  // Properties that all alternatives share come first.
  const { choices: _, ...shared } = merged
  return (
    <div class="oct-try-choice">
      <label class="oct-try-label">
        {label !== '' && <code>{label}</code>} <span class="oct-field-type">{words.apiValues}</span>
        <select
          value={String(chosen)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {options.map((one, index) => (
            <option key={index} value={String(index)}>
              {mapping.find(([, ref]) => ref === one.ref)?.[0] ??
                optionName(one, library) ??
                fillWords(words.apiOption, { number: index + 1 })}
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
        value={value}
        path={path}
        library={library}
        onSet={onSet}
        required={required}
        wanted={wanted}
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

function optionName(option: SchemaData, library: PartLibrary): string | undefined {
  const { title, types } = library.merged(option)
  return title ?? option.ref?.split('/').at(-1) ?? types?.join(' | ')
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

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
