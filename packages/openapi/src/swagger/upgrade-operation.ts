import { KIND, type NodeId } from '../document/tape.ts'
import {
  resolveParameter,
  type UpgradeParts,
  writeBody,
  writeForm,
  writeParameter,
} from './upgrade-parameters.ts'
import { writeResponse } from './upgrade-response.ts'
import { writeServers } from './upgrade-servers.ts'

const JSON_TYPE = 'application/json'
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])

/** Writes the operations of a path, and the parameters that they share. */
export function writePathItem(parts: UpgradeParts, item: NodeId): void {
  const { writer } = parts
  const { from } = writer
  const shared = from.items(from.field(item, 'parameters'))
  writer.object(item, () => {
    for (const [key, value] of from.entries(item)) {
      if (key === 'parameters') writeParameters(parts, value)
      else if (!METHODS.has(key) || !from.isObject(value)) writer.copyField(key, value)
      else {
        writer.text(key, value - 1)
        writeOperation(parts, value, shared)
      }
    }
  })
}

function writeOperation(parts: UpgradeParts, operation: NodeId, shared: readonly NodeId[]): void {
  const { writer } = parts
  const { from } = writer
  const produced = mediaTypes(parts, operation, 'produces')
  writer.object(operation, () => {
    for (const [key, value] of from.entries(operation)) {
      if (key === 'consumes' || key === 'produces') continue
      if (key === 'parameters') writeParameters(parts, value)
      else if (key === 'schemes') writeServers(writer, operation)
      else if (key === 'responses' && from.isObject(value)) {
        writer.text(key, value - 1)
        writer.object(value, () => {
          for (const [status, response] of from.entries(value)) {
            writer.text(status, response - 1)
            writeResponse(parts, response, produced)
          }
        })
      } else writer.copyField(key, value)
    }
    const own = from.items(from.field(operation, 'parameters'))
    writeRequestBody(parts, bodyParts(parts, own, shared), mediaTypes(parts, operation, 'consumes'))
  })
}

/** Writes the parameters that are not part of the body. */
function writeParameters(parts: UpgradeParts, list: NodeId): void {
  const { writer } = parts
  const { from } = writer
  if (from.kind(list) !== KIND.array) {
    writer.copyField('parameters', list)
    return
  }
  const others = from.items(list).filter((item) => placeOf(parts, item) === 'other')
  if (others.length === 0) return
  writer.text('parameters', list - 1)
  writer.list(list, () => {
    for (const item of others) writeParameter(parts, item)
  })
}

function placeOf(parts: UpgradeParts, written: NodeId): 'body' | 'form' | 'other' {
  const place = parts.writer.from.textField(resolveParameter(parts, written), 'in')
  if (place === 'body') return 'body'
  return place === 'formData' ? 'form' : 'other'
}

type BodyParts = { readonly body: NodeId | undefined; readonly fields: readonly NodeId[] }

/** Returns the parameters that form the body. Those of the operation replace shared ones. */
function bodyParts(
  parts: UpgradeParts,
  own: readonly NodeId[],
  shared: readonly NodeId[],
): BodyParts {
  const { from } = parts.writer
  const fields = new Map<string, NodeId>()
  let body: NodeId | undefined
  for (const written of [...shared, ...own]) {
    const parameter = resolveParameter(parts, written)
    const place = placeOf(parts, written)
    if (place === 'body') body = parameter
    if (place === 'form') fields.set(from.textField(parameter, 'name') ?? '', parameter)
  }
  return { body, fields: [...fields.values()] }
}

function writeRequestBody(
  parts: UpgradeParts,
  { body, fields }: BodyParts,
  types: readonly string[],
): void {
  if (body !== undefined) writeBody(parts, body, types.length > 0 ? types : [JSON_TYPE])
  else if (fields.length > 0) writeForm(parts, fields, types)
}

/** Returns the media types of an operation, or those of the whole document. */
function mediaTypes(
  { writer: { from } }: UpgradeParts,
  operation: NodeId,
  key: 'consumes' | 'produces',
): readonly string[] {
  return [...new Set(from.texts(from.field(operation, key) ?? from.field(from.root, key)))]
}
