import type { NodeId } from '../document/tape.ts'
import { writeReference } from './references.ts'
import type { UpgradeParts } from './upgrade-parameters.ts'
import { writeFileType } from './upgrade-schema.ts'

const JSON_TYPE = 'application/json'
const FILE_TYPE = 'application/octet-stream'

/** Writes a response, whose bodies have one schema for all media types in Swagger 2.0. */
export function writeResponse(
  parts: UpgradeParts,
  response: NodeId,
  types: readonly string[],
): void {
  const { writer } = parts
  const { from } = writer
  const reference = from.field(response, '$ref')
  if (!from.isObject(response)) writer.copy(response)
  else if (reference !== undefined && from.isText(reference)) {
    writer.object(response, () => writeReference(writer, reference))
  } else {
    writer.object(response, () => {
      for (const [key, value] of from.entries(response)) {
        if (key === 'headers' && from.isObject(value)) writeHeaders(parts, value)
        else if (key !== 'schema' && key !== 'examples') writer.copyField(key, value)
      }
      writeContent(parts, response, types)
    })
  }
}

function writeHeaders({ writer, schemas }: UpgradeParts, headers: NodeId): void {
  const { from } = writer
  writer.text('headers', headers - 1)
  writer.object(headers, () => {
    for (const [name, header] of from.entries(headers)) {
      writer.text(name, header - 1)
      if (!from.isObject(header)) writer.copy(header)
      else {
        writer.object(header, () => {
          writer.copyField('description', from.field(header, 'description'))
          writer.text('schema', header)
          writer.object(header, () => schemas.fields(header, NOT_OF_HEADERS))
        })
      }
    }
  })
}

const NOT_OF_HEADERS = new Set(['description'])

function writeContent(parts: UpgradeParts, response: NodeId, types: readonly string[]): void {
  const { writer } = parts
  const { from } = writer
  const schema = from.field(response, 'schema')
  const written = from.field(response, 'examples')
  const examples = new Map(from.entries(written))
  if (schema === undefined && examples.size === 0) return
  const isFile = from.textField(schema, 'type') === 'file'
  const usual = types.length > 0 ? types : [isFile ? FILE_TYPE : JSON_TYPE]
  const all = new Set([...(schema === undefined ? [] : usual), ...examples.keys()])
  const at = schema ?? written ?? response
  writer.text('content', at)
  writer.object(at, () => {
    for (const type of all) {
      writer.text(type, at)
      writer.object(at, () => {
        writer.copyField('example', examples.get(type))
        if (schema !== undefined) writeSchema(parts, schema, isFile)
      })
    }
  })
}

function writeSchema({ writer, schemas }: UpgradeParts, schema: NodeId, isFile: boolean): void {
  writer.text('schema', schema - 1)
  if (isFile) writer.object(schema, () => writeFileType(writer, schema))
  else schemas.write(schema)
}
