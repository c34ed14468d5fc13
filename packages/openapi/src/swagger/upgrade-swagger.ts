/**
 * Upgrades a Swagger 2.0 document to OpenAPI 3.0 in memory, so that all other code knows only one
 * form. Each value keeps its place in the author's file. What has a wrong type is written as it is,
 * for the checks to report.
 */
import type { SpecDocument } from '../document/spec-document.ts'
import { type NodeId, TapeFull } from '../document/tape.ts'
import { TapeWriter } from '../document/tape-writer.ts'
import { MOVED } from './references.ts'
import { writePathItem } from './upgrade-operation.ts'
import { resolveParameter, type UpgradeParts, writeParameter } from './upgrade-parameters.ts'
import { writeResponse } from './upgrade-response.ts'
import { SchemaUpgrade } from './upgrade-schema.ts'
import { writeSecurityScheme } from './upgrade-security.ts'
import { writeServers } from './upgrade-servers.ts'

/** The fields of the document that become something else. */
const CHANGED = new Set([
  ...MOVED.keys(),
  'swagger',
  'host',
  'basePath',
  'schemes',
  'consumes',
  'produces',
])

export function isSwagger(document: SpecDocument): boolean {
  const { root } = document
  return (
    document.field(root, 'openapi') === undefined && document.textField(root, 'swagger') === '2.0'
  )
}

/** Returns the upgraded document; undefined if it has too many values. */
export function upgradeSwagger(from: SpecDocument, nodesMax: number): SpecDocument | undefined {
  try {
    return upgrade(new TapeWriter(from, nodesMax))
  } catch (error) {
    if (error instanceof TapeFull) return undefined
    throw error
  }
}

function upgrade(writer: TapeWriter): SpecDocument {
  const { from } = writer
  const parts = { writer, schemas: new SchemaUpgrade(writer) }
  const { root } = from
  writer.object(root, () => {
    const version = from.field(root, 'swagger') ?? root
    writer.text('openapi', version)
    writer.text('3.0.3', version)
    writeServers(writer, root)
    for (const [key, value] of from.entries(root)) {
      if (key === 'paths' && from.isObject(value)) writePaths(parts, value)
      else if (!CHANGED.has(key)) writer.copyField(key, value)
    }
    writeComponents(parts, root)
  })
  return writer.done()
}

function writePaths(parts: UpgradeParts, paths: NodeId): void {
  const { writer } = parts
  writer.text('paths', paths - 1)
  writer.object(paths, () => {
    for (const [path, item] of writer.from.entries(paths)) {
      writer.text(path, item - 1)
      if (writer.from.isObject(item)) writePathItem(parts, item)
      else writer.copy(item)
    }
  })
}

function writeComponents(parts: UpgradeParts, root: NodeId): void {
  const { writer, schemas } = parts
  const { from } = writer
  const types = [...new Set(from.texts(from.field(root, 'produces')))]
  const isShown = (parameter: NodeId) =>
    !['body', 'formData'].includes(from.textField(resolveParameter(parts, parameter), 'in') ?? '')
  writer.text('components', root)
  writer.object(root, () => {
    writeShared(parts, 'definitions', (schema) => schemas.write(schema))
    writeShared(parts, 'parameters', (item) => writeParameter(parts, item), isShown)
    writeShared(parts, 'responses', (item) => writeResponse(parts, item, types))
    writeShared(parts, 'securityDefinitions', (item) => writeSecurityScheme(parts, item))
  })
}

function writeShared(
  { writer }: UpgradeParts,
  kind: string,
  write: (item: NodeId) => void,
  isWritten: (item: NodeId) => boolean = () => true,
): void {
  const { from } = writer
  const all = from.field(from.root, kind)
  const place = MOVED.get(kind)
  if (all === undefined || place === undefined) return
  writer.text(place, all - 1)
  if (!from.isObject(all)) {
    writer.copy(all)
    return
  }
  writer.object(all, () => {
    for (const [name, item] of from.entries(all)) {
      if (!isWritten(item)) continue
      writer.text(name, item - 1)
      write(item)
    }
  })
}
