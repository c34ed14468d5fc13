import type { NodeId } from '../document/tape.ts'
import type { PartName } from './shape.ts'

const EXAMPLE_KEYS = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Parts with a schema of which pages show a sample. */
export const SAMPLED_PARTS: ReadonlySet<PartName> = new Set(['mediaType', 'parameter', 'header'])
const HAS_EXAMPLES = new Set<PartName>([...SAMPLED_PARTS, 'schema'])

/** Collects the parts of a specification that later checks look at. */
export class NotedParts {
  readonly discriminator: NodeId[] = []
  readonly externalDocs: NodeId[] = []
  readonly requestBody: NodeId[] = []
  readonly response: NodeId[] = []
  /** Parts with an example, a default, an enum or a constant. */
  readonly examples = new Set<NodeId>()

  add(name: PartName, node: NodeId): void {
    switch (name) {
      case 'discriminator':
      case 'externalDocs':
      case 'requestBody':
      case 'response':
        this[name].push(node)
    }
  }

  addField(name: PartName, key: string, node: NodeId): void {
    if (EXAMPLE_KEYS.has(key) && HAS_EXAMPLES.has(name)) this.examples.add(node)
  }
}
