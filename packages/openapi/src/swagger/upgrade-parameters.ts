import type { NodeId } from '../document/tape.ts'
import type { TapeWriter } from '../document/tape-writer.ts'
import { writeReference } from './references.ts'
import type { SchemaUpgrade } from './upgrade-schema.ts'

/** The parts that every step of an upgrade needs. */
export type UpgradeParts = {
  readonly writer: TapeWriter
  readonly schemas: SchemaUpgrade
}

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The fields that remain at a parameter. All others are keywords of its schema. */
const OWN = new Set(['name', 'in', 'description', 'required', 'allowEmptyValue', 'deprecated'])
/** The fields of a parameter that become something else. */
const CHANGED = new Set(['collectionFormat', 'schema', 'example', 'x-example'])

/** The fields of a form field that are not keywords of its schema. */
const NOT_OF_FIELDS = new Set([...OWN, ...CHANGED].filter((key) => key !== 'description'))

/** How lists are written: the style in OpenAPI 3.0, and whether each item repeats the name. */
const LIST_STYLES: Readonly<Record<string, readonly [style: string, explode: boolean]>> = {
  csv: ['form', false],
  tsv: ['form', false],
  ssv: ['spaceDelimited', false],
  pipes: ['pipeDelimited', false],
  multi: ['form', true],
}

/** Returns where a parameter is written, through a reference to a shared one. */
export function resolveParameter({ writer: { from } }: UpgradeParts, written: NodeId): NodeId {
  const reference = from.textField(written, '$ref')
  return (reference === undefined ? undefined : from.find(reference)) ?? written
}

/** Writes a parameter that is not part of the body. */
export function writeParameter(parts: UpgradeParts, written: NodeId): void {
  const { writer } = parts
  const { from } = writer
  const reference = from.field(written, '$ref')
  if (!from.isObject(written)) writer.copy(written)
  else if (reference !== undefined && from.isText(reference)) {
    writer.object(written, () => writeReference(writer, reference))
  } else writer.object(written, () => writeFields(parts, written))
}

function writeFields(parts: UpgradeParts, written: NodeId): void {
  const { writer, schemas } = parts
  const { from } = writer
  for (const [key, value] of from.entries(written)) {
    if (isOwn(key)) writer.copyField(key, value)
  }
  writer.copyField('example', from.field(written, 'x-example') ?? from.field(written, 'example'))
  if (from.textField(written, 'in') === 'query') writeListStyle(writer, written)
  const schema = from.field(written, 'schema')
  writer.text('schema', schema ?? written)
  if (schema === undefined) writeOwnSchema(parts, written)
  else schemas.write(schema)
}

/** Writes the keywords of a parameter as its schema. */
function writeOwnSchema({ writer, schemas }: UpgradeParts, written: NodeId): void {
  const keys = writer.from.entries(written).map(([key]) => key)
  const without = new Set(keys.filter((key) => isOwn(key) || CHANGED.has(key)))
  writer.object(written, () => schemas.fields(written, without))
}

function isOwn(key: string): boolean {
  return OWN.has(key) || (key.startsWith('x-') && !CHANGED.has(key))
}

function writeListStyle(writer: TapeWriter, written: NodeId): void {
  const { from } = writer
  if (from.textField(written, 'type') !== 'array') return
  const at = from.field(written, 'collectionFormat') ?? written
  const [style, explode] = LIST_STYLES[from.textField(written, 'collectionFormat') ?? 'csv'] ?? []
  if (style === undefined || explode === undefined) return
  writer.text('style', at)
  writer.text(style, at)
  writer.text('explode', at)
  writer.flag(explode, at)
}

/** Writes the body of a request, which is one parameter in Swagger 2.0. */
export function writeBody(parts: UpgradeParts, body: NodeId, types: readonly string[]): void {
  const { writer, schemas } = parts
  const { from } = writer
  writer.text('requestBody', body)
  writer.object(body, () => {
    for (const [key, value] of from.entries(body)) {
      if (key === 'description' || key === 'required' || isExtension(key)) {
        writer.copyField(key, value)
      }
    }
    const schema = from.field(body, 'schema')
    const example = from.field(body, 'x-example')
    writer.text('content', body)
    writer.object(body, () => {
      for (const type of types) {
        writer.text(type, body)
        writer.object(body, () => {
          writer.copyField('example', example)
          if (schema === undefined) return
          writer.text('schema', schema - 1)
          schemas.write(schema)
        })
      }
    })
  })
}

function isExtension(key: string): boolean {
  return key.startsWith('x-') && key !== 'x-example'
}

/** Writes the fields of a form as the body of a request. */
export function writeForm(
  parts: UpgradeParts,
  fields: readonly NodeId[],
  types: readonly string[],
): void {
  const { writer } = parts
  const { from } = writer
  const [first] = fields
  if (first === undefined) return
  const hasFile = fields.some((field) => from.textField(field, 'type') === 'file')
  const forms = types.filter((type) => type === FORM || type === MULTIPART)
  const used = forms.length > 0 ? forms : [hasFile ? MULTIPART : FORM]
  const isRequired = fields.some((field) => from.isTrue(field, 'required'))
  writer.text('requestBody', first)
  writer.object(first, () => {
    if (isRequired) {
      writer.text('required', first)
      writer.flag(true, first)
    }
    writer.text('content', first)
    writer.object(first, () => {
      for (const type of used) {
        writer.text(type, first)
        writer.object(first, () => {
          writer.text('schema', first)
          writer.object(first, () => writeFormSchema(parts, fields))
          if (type === FORM) writeEncoding(parts, fields)
        })
      }
    })
  })
}

function writeFormSchema(parts: UpgradeParts, fields: readonly NodeId[]): void {
  const { writer } = parts
  const { from } = writer
  const [first = from.root] = fields
  writer.text('type', first)
  writer.text('object', first)
  const required = fields.filter((field) => from.isTrue(field, 'required'))
  if (required.length > 0) {
    writer.text('required', first)
    writer.list(first, () => {
      for (const field of required) writer.text(from.textField(field, 'name') ?? '', field)
    })
  }
  writer.text('properties', first)
  writer.object(first, () => {
    for (const field of fields) {
      writer.text(from.textField(field, 'name') ?? '', field)
      writeFormField(parts, field)
    }
  })
}

function writeFormField({ writer, schemas }: UpgradeParts, field: NodeId): void {
  const { from } = writer
  writer.object(field, () => {
    schemas.fields(field, NOT_OF_FIELDS)
    writer.copyField('example', from.field(field, 'x-example') ?? from.field(field, 'example'))
  })
}

/** Writes how the lists of a form are encoded, unless it is the default of OpenAPI 3.0. */
function writeEncoding({ writer }: UpgradeParts, fields: readonly NodeId[]): void {
  const { from } = writer
  const lists = fields.filter(
    (field) =>
      from.textField(field, 'type') === 'array' &&
      from.textField(field, 'collectionFormat') !== 'multi',
  )
  const [first] = lists
  if (first === undefined) return
  writer.text('encoding', first)
  writer.object(first, () => {
    for (const field of lists) {
      writer.text(from.textField(field, 'name') ?? '', field)
      writer.object(field, () => writeListStyle(writer, field))
    }
  })
}
