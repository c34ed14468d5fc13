import { parseFragment, printFragment } from '../document/pointer.ts'
import type { NodeId } from '../document/tape.ts'
import type { TapeWriter } from '../document/tape-writer.ts'

/** The shared parts of Swagger 2.0, and their places in OpenAPI 3.0. */
export const MOVED: ReadonlyMap<string, string> = new Map([
  ['definitions', 'schemas'],
  ['parameters', 'parameters'],
  ['responses', 'responses'],
  ['securityDefinitions', 'securitySchemes'],
])

/** Writes `$ref` with the place that its target has in OpenAPI 3.0. */
export function writeReference(writer: TapeWriter, value: NodeId): void {
  const written = writer.from.text(value)
  const [kind = '', ...rest] = parseFragment(written) ?? []
  const place = MOVED.get(kind)
  writer.text('$ref', value - 1)
  writer.text(place === undefined ? written : printFragment(['components', place, ...rest]), value)
}
