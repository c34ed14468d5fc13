import { KIND, type NodeId } from '../document/tape.ts'
import type { TapeWriter } from '../document/tape-writer.ts'
import { writeReference } from './references.ts'

/** The keywords of a schema that contain one schema, a list of them, or a map of them. */
const SCHEMAS = new Set(['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not'])
const MAPS = new Set(['properties', 'patternProperties'])

/** Writes schemas of Swagger 2.0 as schemas of OpenAPI 3.0. */
export class SchemaUpgrade {
  readonly #writer: TapeWriter

  constructor(writer: TapeWriter) {
    this.#writer = writer
  }

  write(schema: NodeId): void {
    const { from } = this.#writer
    if (from.kind(schema) === KIND.array) {
      this.#writer.list(schema, () => {
        for (const item of from.items(schema)) this.write(item)
      })
      return
    }
    if (!from.isObject(schema)) {
      this.#writer.copy(schema)
      return
    }
    this.#writer.object(schema, () => this.fields(schema))
  }

  /** Writes the keywords of a schema, or of a parameter, except the given ones. */
  fields(schema: NodeId, without: ReadonlySet<string> = new Set()): void {
    const { from } = this.#writer
    for (const [key, value] of from.entries(schema)) {
      if (!without.has(key)) this.#keyword(key, value)
    }
    const nullable = from.field(schema, 'x-nullable')
    if (nullable === undefined) return
    if (['nullable', '$ref'].some((key) => from.field(schema, key) !== undefined)) return
    this.#writer.text('nullable', nullable - 1)
    this.#writer.copy(nullable)
  }

  #keyword(key: string, value: NodeId): void {
    const writer = this.#writer
    // It says how the items of a parameter are written, which is a style in OpenAPI 3.0.
    if (key === 'collectionFormat') return
    const isText = writer.from.kind(value) === KIND.string
    if (key === '$ref' && isText) {
      writeReference(writer, value)
    } else if (key === 'type' && isText && writer.from.text(value) === 'file') {
      writeFileType(writer, value)
    } else if (key === 'discriminator' && isText) {
      writer.text(key, value - 1)
      writer.object(value, () => {
        writer.text('propertyName', value)
        writer.copy(value)
      })
    } else if (SCHEMAS.has(key)) {
      writer.text(key, value - 1)
      this.write(value)
    } else if (MAPS.has(key) && writer.from.isObject(value)) {
      writer.text(key, value - 1)
      writer.object(value, () => {
        for (const [name, schema] of writer.from.entries(value)) {
          writer.text(name, schema - 1)
          this.write(schema)
        }
      })
    } else {
      writer.copyField(key, value)
    }
  }
}

/** Writes the fields of a schema for a file. */
export function writeFileType(writer: TapeWriter, at: NodeId): void {
  writer.text('type', at)
  writer.text('string', at)
  writer.text('format', at)
  writer.text('binary', at)
}
