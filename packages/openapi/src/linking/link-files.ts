/**
 * Joins a specification in several files into one document, as if it had been bundled. A part of
 * another file becomes a component, and references to it lead there. Each value keeps its place in
 * its file. Other code then knows only references within one document.
 */
import { type Diagnostic, diagnose, type Report } from '@octavo/model'
import type { PartName, Shape } from '../check/shape.ts'
import type { DocumentLimits } from '../document/parse-document.ts'
import { tooDeepValues, tooManyValues } from '../document/parse-document.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId, TapeFull } from '../document/tape.ts'
import { TapeWriter } from '../document/tape-writer.ts'
import { type Form, type Layout, layoutOf } from './layout.ts'
import { LinkedFiles, type ReadFile, type Target, type Unresolved } from './linked-files.ts'
import { PartNames, type SharedParts, sharedParts } from './part-names.ts'

export type LinkedDocument = {
  readonly document: SpecDocument
  /** The reasons why references lead nowhere, by the row of their text. */
  readonly unresolved: ReadonlyMap<NodeId, Unresolved>
}

/** Matches a reference that does not start with `#`. */
const TO_OTHER_FILE = /["']?\$ref["']?\s*:\s*["']?[^\s"'#]/

export function hasOtherFiles(document: SpecDocument): boolean {
  return TO_OTHER_FILE.test(document.source)
}

export type LinkOptions = {
  readonly form: Form
  /** True if the operations of other files are written below the paths that refer to them. */
  readonly keepsPaths?: boolean
}

export function linkFiles(
  root: SpecDocument,
  { form, keepsPaths = false }: LinkOptions,
  read: ReadFile,
  { report, limits }: { readonly report: Report; readonly limits: DocumentLimits },
): LinkedDocument | undefined {
  const files = new LinkedFiles(root, read, report, limits)
  const layout = layoutOf(form)
  const names = new PartNames(root, layout, files)
  const input = { root, layout, files, names, limits, keepsPaths }
  try {
    // The first round finds all parts of other files, and the second one writes them.
    new Linker({ ...input, report: () => {} }).findParts()
    return new Linker({ ...input, report }).write()
  } catch (error) {
    if (error instanceof TapeFull) report(tooManyValues(root.file, limits.nodesMax))
    else if (error instanceof TooDeep) report(error.diagnostic)
    else throw error
    return undefined
  }
}

class TooDeep extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super()
    this.diagnostic = diagnostic
  }
}

type LinkerInput = {
  readonly root: SpecDocument
  readonly layout: Layout
  readonly files: LinkedFiles
  readonly names: PartNames
  readonly limits: DocumentLimits
  readonly report: Report
  readonly keepsPaths: boolean
}

class Linker {
  readonly #input: LinkerInput
  readonly #layout: Layout
  readonly #writer: TapeWriter
  readonly #unresolved = new Map<NodeId, Unresolved>()
  /** The references that are being replaced by what they lead to. */
  readonly #replacing = new Set<string>()
  #depth = 0

  constructor(input: LinkerInput) {
    this.#input = input
    this.#layout = input.layout
    this.#writer = new TapeWriter(input.root, input.limits.nodesMax)
  }

  findParts(): void {
    this.#writeRoot()
    // The list grows while parts of parts are found.
    for (const part of this.#input.names.added) this.#writeAt(part, part.shape)
  }

  write(): LinkedDocument {
    this.#writeRoot()
    return { document: this.#writer.done(), unresolved: this.#unresolved }
  }

  #writeRoot(): void {
    const { root, names } = this.#input
    const writer = this.#writer
    const { shapes, home } = this.#layout
    const shape = shapes.get('document')
    const [name] = home
    const parts = sharedParts(root, this.#layout, this.#input.files)
    const shared = new Set(parts.map(({ written }) => written))
    writer.object(root.root, () => {
      for (const [key, value] of root.entries(root.root)) {
        if (shared.has(value) || (key === name && root.isObject(value))) continue
        writer.copy(value - 1)
        this.#write(value, shape?.fields.get(key))
      }
      const components = name === undefined ? undefined : root.field(root.root, name)
      const at = components ?? root.root
      if (name === undefined) this.#writeShared(parts, at)
      else if (root.isObject(components) || names.added.length > 0) {
        writer.text(name, at)
        writer.object(at, () => this.#writeShared(parts, at))
      }
    })
  }

  /** Writes the shared parts of the main file, and those of other files that become shared. */
  #writeShared(parts: readonly SharedParts[], at: NodeId): void {
    const { root, names } = this.#input
    const writer = this.#writer
    const fields = this.#layout.shapes.get('components')?.fields
    const missing = new Set(names.added.map(({ kind }) => kind))
    for (const { kind } of parts) missing.delete(kind)
    const none = [...missing].map((kind) => ({ kind, written: at, map: undefined }))
    for (const { kind, written, map } of [...parts, ...none]) {
      const added = names.added.filter((part) => part.kind === kind)
      const shape = fields?.get(kind)
      const isMap = map?.document.isObject(map.node) === true
      const isBroken = map?.document === root && root.field(written, '$ref') !== undefined
      if (map !== undefined && (isBroken || (!isMap && added.length === 0))) {
        writer.copy(written - 1)
        this.#write(written, shape)
        continue
      }
      writer.text(kind, written)
      writer.object(written, () => {
        if (isMap) writer.inside(map.document, () => this.#writeItems(map, shape))
        for (const part of added) {
          writer.text(part.name, written)
          this.#writeAt(part, part.shape)
        }
      })
    }
  }

  #writeItems({ document, node }: Target, shape: Shape | undefined): void {
    const { root, names } = this.#input
    const of = shape?.is === 'map' ? shape.of : undefined
    for (const [, item] of document.entries(node)) {
      this.#writer.copy(item - 1)
      const home = document === root ? names.home(item) : undefined
      if (home === undefined) this.#write(item, of)
      else this.#writeAt(home, of)
    }
  }

  #writeAt({ document, node }: Target, shape: Shape | undefined): void {
    this.#writer.inside(document, () => this.#write(node, shape))
  }

  #write(node: NodeId, shape: Shape = { is: 'any' }): void {
    const { from } = this.#writer
    this.#depth += 1
    if (this.#depth > this.#input.limits.depthMax) {
      throw new TooDeep(tooDeepValues(from.place(node), this.#input.limits.depthMax))
    }
    if (from.isObject(node)) this.#writeObject(node, shape)
    else if (from.kind(node) === KIND.array) this.#writeList(node, shape)
    else this.#writer.copy(node)
    this.#depth -= 1
  }

  /** Returns the part that a reference may replace here. */
  #referencedPart(shape: Shape): PartName | undefined {
    if (shape.is === 'schema') return 'schema'
    if (shape.is !== 'part') return undefined
    const isShared = shape.part === 'pathItem' && this.#layout.kinds.pathItem !== undefined
    return shape.orReference || isShared ? shape.part : undefined
  }

  #writeList(node: NodeId, shape: Shape): void {
    const list = chosen(shape, 'list')
    if (list?.is !== 'list') {
      this.#writer.copy(node)
      return
    }
    this.#writer.list(node, () => {
      for (const item of this.#writer.from.items(node)) this.#write(item, list.of)
    })
  }

  #writeObject(node: NodeId, written: Shape): void {
    const { from } = this.#writer
    const shape = chosen(written, 'schema', 'part', 'map', 'pair')
    if (shape === undefined) {
      this.#writer.copy(node)
      return
    }
    const reference = from.field(node, '$ref')
    const isOnlyKey = from.entries(node, 2).length === 1
    const isPath = shape.is === 'part' && shape.part === 'pathItem'
    const isReplaced = isPath && isOnlyKey && this.#input.keepsPaths
    const part = isReplaced ? undefined : this.#referencedPart(shape)
    const isText = reference !== undefined && from.kind(reference) === KIND.string
    if (isText && part === undefined && this.#replace(reference, written)) return
    this.#writer.object(node, () => {
      for (const [key, value] of from.entries(node)) {
        this.#writer.copy(value - 1)
        if (isText && value === reference && part !== undefined) this.#writeReference(value, part)
        else if (shape.is === 'map' || shape.is === 'pair') this.#write(value, shape.of)
        else this.#writeField(node, { key, value, part: partName(shape) })
      }
    })
  }

  #writeField(
    node: NodeId,
    { key, value, part }: { key: string; value: NodeId; part: PartName },
  ): void {
    const { from } = this.#writer
    const shape = this.#layout.shapes.get(part)
    const { field, shapes } = shape?.variants ?? {}
    const kind = field === undefined ? undefined : shapes?.get(from.textField(node, field) ?? '')
    const own = (kind ?? shape)?.fields.get(key)
    if (part === 'discriminator' && key === 'mapping') this.#writeMapping(value)
    else if (own !== undefined || key.startsWith('x-')) this.#write(value, own)
    else this.#write(value, shape?.others?.of)
  }

  /** Writes what a reference leads to, at a place where OpenAPI has no references. */
  #replace(reference: NodeId, shape: Shape): boolean {
    const { from } = this.#writer
    const { root, files, report } = this.#input
    const written = from.text(reference)
    const target = files.resolve(from, written)
    if ('code' in target) {
      report(diagnose(target.code, from.place(reference), target))
      this.#writer.object(reference, () => {})
      return true
    }
    const key = `${target.document.file}#${target.node}`
    if (this.#replacing.has(key) || (from === root && written.startsWith('#'))) return false
    this.#replacing.add(key)
    this.#writeAt(target, shape)
    this.#replacing.delete(key)
    return true
  }

  #writeReference(text: NodeId, part: PartName): void {
    const { from } = this.#writer
    const { root, files, names } = this.#input
    const written = from.text(text)
    // Pointers and bare names in the main file mean the main file.
    if (from === root && /^#|^[\w-]*$/.test(written)) {
      this.#writer.copy(text)
      return
    }
    const target = files.resolve(from, written)
    if ('code' in target) this.#unresolved.set(this.#writer.text(written, text), target)
    else this.#writer.text(names.linkTo(target, part, written), text)
  }

  /** Writes the schemas that a discriminator names; some are named by a reference. */
  #writeMapping(mapping: NodeId): void {
    const { from } = this.#writer
    if (!from.isObject(mapping)) {
      this.#writer.copy(mapping)
      return
    }
    this.#writer.object(mapping, () => {
      for (const [, value] of from.entries(mapping)) {
        this.#writer.copy(value - 1)
        const isReference = /#|\.(?:json|ya?ml)$/i.test(
          from.textField(mapping, from.text(value - 1)) ?? '',
        )
        if (isReference) this.#writeReference(value, 'schema')
        else this.#writer.copy(value)
      }
    })
  }
}

/** Returns the shape for a kind of value, where several kinds are allowed. */
function chosen(shape: Shape, ...kinds: readonly Shape['is'][]): Shape | undefined {
  if (shape.is !== 'either') return kinds.includes(shape.is) ? shape : undefined
  return shape.shapes.find(({ is }) => kinds.includes(is))
}

function partName(shape: Shape): PartName {
  return shape.is === 'part' ? shape.part : 'schema'
}
