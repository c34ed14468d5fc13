/**
 * Replaces `{"$ref": "./part.json"}` anywhere in docs.json with the content of that file. If the
 * content is an object, keys next to `$ref` override its keys. Paths are relative to the file that
 * contains them and must stay inside the documentation folder.
 *
 * The parsed tree is changed in place: it has just been created, and no other code refers to it.
 */
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '../diagnostics/diagnostic-codes.ts'
import { formatCount, LIMITS } from '../diagnostics/limits.ts'
import { joinPath } from '../text/join-path.ts'
import { type JsonNode, type JsonObject, placeOf, placeOfMember } from './json-node.ts'
import { parseJson } from './parse-json.ts'

/** Returns the text of a file in the documentation folder, or undefined if it does not exist. */
export type ReadPart = (path: string) => string | undefined

export type PartsOptions = { readonly readPart: ReadPart; readonly report: Report }

/** Replaces each `$ref` of one docs.json with the part that it refers to. */
export class PartResolver {
  readonly #readPart: ReadPart
  readonly #report: Report
  #parts = 0
  #values = 0
  #isIncomplete = false

  constructor(options: PartsOptions) {
    this.#readPart = options.readPart
    this.#report = options.report
  }

  /** False if a part could not be read. Values that may be in it are not reported as missing. */
  get isComplete(): boolean {
    return !this.#isIncomplete
  }

  /**
   * Replaces every `$ref` below a node, and the node itself if it is a `$ref`. A part that cannot
   * be read is removed, so that one mistake is reported only once.
   */
  resolveRoot(root: JsonNode): JsonNode | undefined {
    // Most sites have a single file without any `$ref`, so this fast path is worthwhile.
    if (!root.source.text.includes('$ref')) return root
    return this.#resolve(root, [root.source.file])
  }

  #resolve(node: JsonNode, trail: readonly string[]): JsonNode | undefined {
    this.#values += 1
    if (node.type === 'array') {
      const items = node.items.map((item) => this.#resolve(item, trail))
      node.items.splice(0, node.items.length, ...items.filter((item) => item !== undefined))
      return node
    }
    if (node.type !== 'object') return node
    for (const [key, member] of node.members) {
      if (key === '$ref') continue
      const value = this.#resolve(member.value, trail)
      if (value === undefined) node.members.delete(key)
      else member.value = value
    }
    return node.members.has('$ref') ? this.#replace(node, trail) : node
  }

  /**
   * Replaces a `$ref` with its part. Nodes of the part keep their parents, so that places and
   * pointers refer to the file of the part.
   */
  #replace(node: JsonObject, trail: readonly string[]): JsonNode | undefined {
    const part = this.#load(node, trail)
    const beside = [...node.members].filter(([key]) => key !== '$ref')
    if (part === undefined) {
      this.#isIncomplete = true
      node.members.delete('$ref')
      return beside.length > 0 ? node : undefined
    }
    if (part.type === 'object') {
      for (const [key, member] of beside) part.members.set(key, member)
      return part
    }
    const [first] = beside
    if (first !== undefined) {
      const names = beside.map(([key]) => `\`${key}\``).join(', ')
      this.#complain('part/ignored-keys', node, first[0], {
        message: `${names} next to \`$ref\` cannot be merged into ${part.source.file}, which is not an object.`,
        hint: 'Move these keys into the file, or remove them.',
      })
    }
    return part
  }

  #load(node: JsonObject, trail: readonly string[]): JsonNode | undefined {
    const reference = node.members.get('$ref')?.value
    if (reference?.type !== 'string' || !/\.json$/i.test(reference.value)) {
      this.#complain('part/invalid', node, '$ref', {
        message: 'A `$ref` in docs.json must be the path of a JSON file.',
        hint: 'Write it like "./navigation/en.json". Pointers into a file (`#/…`) are not supported.',
      })
      return undefined
    }
    const path = joinPath(folderOf(node.source.file), reference.value)
    if (path === undefined || /^[a-z][a-z\d+.-]*:/i.test(reference.value)) {
      this.#complain('part/outside-root', node, '$ref', {
        message: `\`${reference.value}\` points outside the documentation folder.`,
        hint: 'Keep the parts of docs.json in the documentation folder.',
      })
      return undefined
    }
    if (trail.includes(path)) {
      this.#complain('part/cycle', node, '$ref', {
        message: `${[...trail.slice(trail.indexOf(path)), path].join(' → ')}: this reference is circular.`,
        hint: 'Remove one of these references.',
      })
      return undefined
    }
    return this.#readAndParse(node, path, trail)
  }

  #readAndParse(node: JsonObject, path: string, trail: readonly string[]): JsonNode | undefined {
    this.#parts += 1
    if (this.#parts > LIMITS.configPartsMax || this.#values > LIMITS.configValuesMax) {
      if (this.#parts <= LIMITS.configPartsMax + 1) {
        this.#complain('part/too-many', node, '$ref', {
          message: `docs.json is split into more than ${formatCount(LIMITS.configPartsMax)} files or has more than ${formatCount(LIMITS.configValuesMax)} values. Further \`$ref\` files are not loaded.`,
          hint: 'Use fewer, larger files, and include each of them once.',
        })
        this.#parts = LIMITS.configPartsMax + 1
      }
      return undefined
    }
    const text = this.#readPart(path)
    if (text === undefined) {
      this.#complain('part/not-found', node, '$ref', {
        message: `The file ${path} does not exist.`,
        hint: `Paths are relative to the file that contains the \`$ref\`, ${node.source.file}.`,
      })
      return undefined
    }
    const part = parseJson(path, text, this.#report)
    return part === undefined ? undefined : this.#resolve(part, [...trail, path])
  }

  #complain(
    code: DiagnosticCode,
    node: JsonObject,
    key: string,
    text: { message: string; hint: string },
  ): void {
    const place = node.members.has(key) ? placeOfMember(node, key) : placeOf(node)
    this.#report(diagnose(code, place, text))
  }
}

function folderOf(file: string): string {
  const slash = file.lastIndexOf('/')
  return slash === -1 ? '' : file.slice(0, slash)
}
