import { type PartName, partOrReference, type Shape, schema } from '../check/shape.ts'
import type { SpecVersion } from '../check/shapes.ts'
import { parseFragment, printFragment } from '../document/pointer.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { LinkedFiles, Target } from './linked-files.ts'

/** A part of another file, which becomes a component. */
export type AddedPart = Target & {
  readonly kind: string
  readonly name: string
  readonly shape: Shape
}

const KINDS: Partial<Record<PartName, string>> = {
  schema: 'schemas',
  parameter: 'parameters',
  response: 'responses',
  requestBody: 'requestBodies',
  header: 'headers',
  example: 'examples',
  link: 'links',
  callback: 'callbacks',
  securityScheme: 'securitySchemes',
}

/** Names the parts of other files as a bundled file would. */
export class PartNames {
  /** The parts that are added to the components of the main file, in the order of their use. */
  readonly added: AddedPart[] = []
  readonly #root: SpecDocument
  readonly #pathItems: string
  readonly #names = new Map<SpecDocument, Map<NodeId, string>>()
  readonly #homes = new Map<NodeId, Target>()
  readonly #taken = new Set<string>()

  constructor(root: SpecDocument, version: SpecVersion, files: LinkedFiles) {
    this.#root = root
    // OpenAPI 3.0 has no components for path items.
    this.#pathItems = version === '3.0' ? 'x-path-items' : 'pathItems'
    for (const [kind, parts] of root.entries(root.field(root.root, 'components'))) {
      for (const [name, item] of root.entries(parts)) {
        this.#taken.add(`${kind}/${name}`)
        const reference = root.textField(item, '$ref')
        if (reference === undefined || reference.startsWith('#')) continue
        const target = files.resolve(root, reference)
        if ('code' in target || target.document === root) continue
        if (root.entries(item).length > 1 || this.#nameOf(target) !== undefined) continue
        this.#homes.set(item, target)
        this.#setName(target, printFragment(['components', kind, name]))
      }
    }
  }

  /** Returns the target of a component of the main file that is only a reference. */
  home(item: NodeId): Target | undefined {
    return this.#homes.get(item)
  }

  /** Returns the reference to a part, which is added as a component if it is in another file. */
  linkTo(target: Target, part: PartName, written: string): string {
    const fragment = written.includes('#') ? written.slice(written.indexOf('#')) : '#'
    if (target.document === this.#root && this.#root.find(fragment) === target.node) return fragment
    const known = this.#nameOf(target)
    if (known !== undefined) return known
    const kind = KINDS[part] ?? this.#pathItems
    const name = this.#freeName(kind, baseName(target, fragment))
    this.added.push({
      ...target,
      kind,
      name,
      shape: part === 'schema' ? schema : partOrReference(part),
    })
    const link = printFragment(['components', kind, name])
    this.#setName(target, link)
    return link
  }

  #nameOf({ document, node }: Target): string | undefined {
    return this.#names.get(document)?.get(node)
  }

  #setName({ document, node }: Target, link: string): void {
    const names = this.#names.get(document) ?? new Map<NodeId, string>()
    this.#names.set(document, names.set(node, link))
  }

  #freeName(kind: string, base: string): string {
    let name = base
    for (let count = 2; this.#taken.has(`${kind}/${name}`); count += 1) name = `${base}-${count}`
    this.#taken.add(`${kind}/${name}`)
    return name
  }
}

/** Returns the last name of the pointer, or the name of a file that is referred to as a whole. */
function baseName({ document }: Target, fragment: string): string {
  const file = document.file.slice(document.file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  const token = parseFragment(fragment)?.at(-1) ?? file
  return token.replace(/[^\w.-]+/g, '_')
}
