import { type PartName, partOrReference, type Shape, schema } from '../check/shape.ts'
import { parseFragment, printFragment } from '../document/pointer.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import type { NodeId } from '../document/tape.ts'
import type { Layout } from './layout.ts'
import type { LinkedFiles, Target } from './linked-files.ts'

/** A part of another file, which becomes a component. */
export type AddedPart = Target & {
  readonly kind: string
  readonly name: string
  readonly shape: Shape
}

/** Names the parts of other files as a bundled file would. */
export class PartNames {
  /** The parts that are added to the components of the main file, in the order of their use. */
  readonly added: AddedPart[] = []
  readonly #root: SpecDocument
  readonly #layout: Layout
  readonly #names = new Map<SpecDocument, Map<NodeId, string>>()
  readonly #homes = new Map<NodeId, Target>()
  readonly #taken = new Set<string>()

  constructor(root: SpecDocument, layout: Layout, files: LinkedFiles) {
    this.#root = root
    this.#layout = layout
    for (const { kind, map } of sharedParts(root, layout, files)) {
      for (const [name, item] of map.document.entries(map.node)) {
        this.#taken.add(`${kind}/${name}`)
        if (map.document !== root) {
          this.#setName({ ...map, node: item }, printFragment([...layout.home, kind, name]))
          continue
        }
        const reference = root.textField(item, '$ref')
        if (reference === undefined || reference.startsWith('#')) continue
        const target = files.resolve(root, reference)
        if ('code' in target || target.document === root) continue
        if (root.entries(item).length > 1 || this.#nameOf(target) !== undefined) continue
        this.#homes.set(item, target)
        this.#setName(target, printFragment([...layout.home, kind, name]))
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
    const kind = this.#layout.kinds[part] ?? 'x-parts'
    const name = this.#freeName(kind, baseName(target, fragment))
    this.added.push({
      ...target,
      kind,
      name,
      shape: part === 'schema' ? schema : partOrReference(part),
    })
    const link = printFragment([...this.#layout.home, kind, name])
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

export type SharedParts = {
  readonly kind: string
  /** The value in the main file. */
  readonly written: NodeId
  /** The parts by their names, which may be in another file as a whole. */
  readonly map: Target
}

/** Returns the shared parts of the main file. */
export function sharedParts(
  root: SpecDocument,
  { home, shapes }: Layout,
  files: LinkedFiles,
): readonly SharedParts[] {
  const all = root.entries(root.find(printFragment(home)))
  const kinds = shapes.get('components')?.fields
  const shared = home.length > 0 ? all : all.filter(([key]) => kinds?.has(key) === true)
  return shared.map(([kind, written]) => {
    const reference = root.textField(written, '$ref')
    const target = reference === undefined ? undefined : files.resolve(root, reference)
    const isFound = target !== undefined && !('code' in target) && target.document !== root
    return { kind, written, map: isFound ? target : { document: root, node: written } }
  })
}

/** Returns the last name of the pointer, or the name of a file that is referred to as a whole. */
function baseName({ document }: Target, fragment: string): string {
  const file = document.file.slice(document.file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  const token = parseFragment(fragment)?.at(-1) ?? file
  return token.replace(/[^\w.-]+/g, '_')
}
