/**
 * Compares a specification with its shapes, and reports wrong types, missing fields and unknown
 * fields. Also records the kind of every object and collects all references.
 */
import { didYouMean } from '@octavo/model'
import { describeKind } from '../document/json-type.ts'
import { plainItems } from '../document/plain-items.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { EXTENSION_NAMES } from '../operations/extensions.ts'
import { NotedParts, SAMPLED_PARTS } from './noted-parts.ts'
import type { Problems } from './problems.ts'
import type { KeyRule, PartName, PartShape, Shape, Shapes } from './shape.ts'
import { type SpecVersion, shapesFor } from './shapes.ts'
import { hintFor, hintForDigits } from './type-hints.ts'

export type Reference = {
  /** The object with the `$ref`. */
  readonly node: NodeId
  /** The string value of the `$ref`. */
  readonly text: NodeId
  readonly part: PartName
}

type Part = Extract<Shape, { is: 'part' }>

export class ShapeChecker {
  readonly references: Reference[] = []
  /** Objects with one of Octavo's vendor extensions. */
  readonly extended: NodeId[] = []
  readonly noted = new NotedParts()
  /** Schemas of bodies, parameters and headers. Pages show a sample for each. */
  readonly sampled: NodeId[] = []
  readonly #referring = new Map<NodeId, PartName>()
  readonly #shapes: Shapes
  readonly #version: SpecVersion
  readonly #problems: Problems
  readonly #names: readonly PartName[]
  /** The part of each row, as an index into `#names` plus one; 0 for unchecked rows. */
  readonly #parts: Uint8Array

  constructor(shapes: Shapes, version: SpecVersion, problems: Problems) {
    this.#shapes = shapes
    this.#version = version
    this.#problems = problems
    this.#names = [...shapes.keys()]
    this.#parts = new Uint8Array(problems.document.tape.length)
  }

  /** Returns the part that an object was checked as. */
  partOf(node: NodeId): PartName | undefined {
    return this.#names[(this.#parts[node] ?? 0) - 1]
  }

  /** Returns the part that a reference must lead to. */
  referencedPart(node: NodeId): PartName | undefined {
    return this.#referring.get(node)
  }

  /** Checks an object against the shape of a part. Each object is checked only once. */
  checkPart(node: NodeId, name: PartName): void {
    if (this.#parts[node] !== 0) return
    this.#parts[node] = this.#names.indexOf(name) + 1
    const shape = this.#shapeOf(node, name)
    if (shape === undefined) return
    this.noted.add(name, node)
    if (SAMPLED_PARTS.has(name)) this.#noteSampled(node)
    const present = new Set<string>()
    for (const [key, value] of this.#document.entries(node)) {
      present.add(key)
      const field = shape.fields.get(key)
      if (field !== undefined) this.noted.addField(name, key, node)
      if (field !== undefined) this.#check(value, field, key)
      else if (!key.startsWith('x-')) this.#checkOther(value, key, shape, name)
      else if (isExtension(key)) this.extended.push(node)
    }
    this.#checkRequired(node, shape, present)
  }

  #noteSampled(node: NodeId): void {
    const schema = this.#document.field(node, 'schema')
    if (schema === undefined) return
    this.sampled.push(schema)
    const items = plainItems(this.#document, schema)
    if (items !== undefined) this.sampled.push(items)
  }

  /** Checks an object that contains a `$ref` and is only reached through another reference. */
  checkReferenced(node: NodeId, name: PartName): void {
    if (this.#referring.has(node)) return
    if (name === 'schema') this.#checkSchema(node, '$ref')
    else this.#checkObject(node, { is: 'part', part: name, orReference: true }, '$ref')
  }

  get #document() {
    return this.#problems.document
  }

  #shapeOf(node: NodeId, name: PartName): PartShape | undefined {
    const shape = this.#shapes.get(name)
    if (shape?.variants === undefined) return shape
    const { field, shapes } = shape.variants
    return shapes.get(this.#document.textField(node, field) ?? '') ?? shape
  }

  #checkRequired(node: NodeId, shape: PartShape, present: ReadonlySet<string>): void {
    for (const key of shape.required) {
      if (present.has(key)) continue
      this.#problems.add('openapi/missing-field', node, {
        message: `${capital(shape.name)} has no \`${key}\`.`,
        hint: `Add \`${key}\`: OpenAPI ${this.#version} requires it.`,
      })
    }
    this.#checkTogether(node, shape, present)
    if (!shape.filled || [...present].some((key) => !key.startsWith('x-'))) return
    this.#problems.add('openapi/missing-field', node, {
      message: `${capital(shape.name)} is empty.`,
      hint: 'Add at least one entry.',
    })
  }

  #checkTogether(node: NodeId, shape: PartShape, present: ReadonlySet<string>): void {
    const { exactlyOne, notBoth } = shape
    if (exactlyOne.length > 0 && !exactlyOne.some((key) => present.has(key))) {
      this.#problems.add('openapi/missing-field', node, {
        message: `${capital(shape.name)} has neither ${exactlyOne.map(code).join(' nor ')}.`,
        hint: 'Use one of the two.',
      })
    }
    for (const [field, other] of notBoth) {
      if (!present.has(field) || !present.has(other)) continue
      this.#problems.add('openapi/unknown-field', (this.#document.field(node, field) ?? node) - 1, {
        message: `${capital(shape.name)} cannot have both \`${field}\` and \`${other}\`.`,
        hint: 'Use one of the two.',
      })
    }
  }

  #checkOther(value: NodeId, key: string, shape: PartShape, name: PartName): void {
    const { others } = shape
    if (others?.keys.test.test(key)) this.#check(value, others.of, key)
    else if (others !== undefined) this.#wrongKey(value, key, others.keys, shape.name)
    else if (!shape.open) this.#unknownField(value, key, shape, name)
  }

  #unknownField(value: NodeId, key: string, shape: PartShape, name: PartName): void {
    if (this.#version === '3.0' && shapesFor('3.1').get(name)?.fields.has(key)) {
      this.#problems.add('openapi/unknown-field', value - 1, {
        message: `\`${key}\` was added in OpenAPI 3.1; this document is OpenAPI 3.0.`,
        hint: 'Write `openapi: 3.1.0` if the rest of the document allows it, or remove the key.',
      })
      return
    }
    this.#problems.add('openapi/unknown-field', value - 1, {
      message: `${capital(shape.name)} in OpenAPI ${this.#version} has no field \`${key}\`; it is ignored.`,
      hint: didYouMean(
        key,
        shape.fields.keys(),
        'Remove it, or start its name with `x-` if it is an extension.',
      ),
    })
  }

  #check(value: NodeId, shape: Shape, key: string): void {
    const kind = this.#document.kind(value)
    switch (shape.is) {
      case 'any':
        return
      case 'text':
      case 'pattern':
        this.#checkText(value, key)
        return
      case 'flag':
        if (kind !== KIND.true && kind !== KIND.false)
          this.#wrongType(value, key, '`true` or `false`')
        return
      case 'literalTrue':
        if (kind !== KIND.true) this.#wrongType(value, key, '`true`')
        return
      case 'number':
        if (kind !== KIND.number) this.#wrongType(value, key, 'a number')
        return
      case 'positive':
        if (!(this.#number(value) > 0)) this.#wrongType(value, key, 'a number greater than 0')
        return
      case 'count':
        this.#checkCount(value, key)
        return
      case 'choice':
        this.#checkChoice(value, shape.values, key)
        return
      case 'list':
        this.#checkList(value, shape, key)
        return
      case 'map':
        this.#checkMap(value, shape, key)
        return
      case 'pair':
        this.#checkPair(value, shape.of, key)
        return
      case 'part':
        this.#checkObject(value, shape, key)
        return
      case 'schema':
        this.#checkSchema(value, key)
        return
      case 'either':
        this.#checkEither(value, shape.shapes, key)
        return
    }
  }

  /** Checks that a value is a string. A number or a boolean only causes a warning. */
  #checkText(value: NodeId, key: string): void {
    const kind = this.#document.kind(value)
    if (kind === KIND.string) return
    if (kind === KIND.number || kind === KIND.true || kind === KIND.false) {
      this.#problems.add('openapi/missing-quotes', value, {
        message: `\`${key}\` is ${describeKind(kind)} where a string is expected; it is shown as written.`,
        hint: `Put the value in quotes: \`"${this.#document.text(value)}"\`.`,
      })
    } else this.#wrongType(value, key, 'a string')
  }

  /** Returns the value as a number, or NaN if it is not a number. */
  #number(value: NodeId): number {
    const isNumber = this.#document.kind(value) === KIND.number
    return isNumber ? Number(this.#document.text(value)) : Number.NaN
  }

  #checkCount(value: NodeId, key: string): void {
    const number = this.#number(value)
    if (!Number.isInteger(number) || number < 0)
      this.#wrongType(value, key, 'a non-negative integer')
  }

  #checkChoice(value: NodeId, values: readonly string[], key: string): void {
    if (this.#document.kind(value) !== KIND.string) {
      this.#wrongType(value, key, 'a string')
      return
    }
    const written = this.#document.text(value)
    if (values.includes(written)) return
    this.#problems.add('openapi/wrong-value', value, {
      message: `\`${key}\` is \`${written}\`, which is not allowed in OpenAPI ${this.#version}.`,
      hint: didYouMean(written, values, `Write one of ${values.map(code).join(', ')}.`),
    })
  }

  #checkList(value: NodeId, shape: Extract<Shape, { is: 'list' }>, key: string): void {
    if (this.#document.kind(value) !== KIND.array) {
      this.#wrongType(value, key, 'a list')
      return
    }
    const items = this.#document.items(value)
    for (const item of items) this.#check(item, shape.of, key)
    if (items.length < shape.min) {
      this.#problems.add('openapi/missing-field', value, {
        message: `\`${key}\` is an empty list.`,
        hint: 'Add an entry, or remove the list.',
      })
    }
    if (shape.unique && items.length > 1) this.#checkUnique(items, key)
  }

  #checkUnique(items: readonly NodeId[], key: string): void {
    const seen = new Set<string>()
    for (const item of items) {
      const written = JSON.stringify(this.#document.value(item))
      if (seen.has(written)) {
        this.#problems.add('openapi/repeated-entry', item, {
          message: `\`${key}\` has the same entry twice.`,
          hint: 'Remove one of the two.',
        })
      }
      seen.add(written)
    }
  }

  #checkMap(value: NodeId, shape: Extract<Shape, { is: 'map' }>, key: string): void {
    if (!this.#document.isObject(value)) {
      this.#wrongType(value, key, 'an object')
      return
    }
    for (const [name, item] of this.#document.entries(value)) {
      if (shape.keys !== undefined && !shape.keys.test.test(name)) {
        if (name.startsWith('x-')) continue
        this.#wrongKey(item, name, shape.keys, `\`${key}\``)
      }
      this.#check(item, shape.of, name)
    }
  }

  #checkPair(value: NodeId, of: Shape, key: string): void {
    this.#checkMap(value, { is: 'map', of, keys: undefined }, key)
    if (!this.#document.isObject(value) || this.#document.entries(value).length === 1) return
    this.#problems.add('openapi/wrong-value', value, {
      message: `\`${key}\` must have exactly one entry here.`,
      hint: 'Keep only the entry that is used.',
    })
  }

  #wrongKey(value: NodeId, key: string, rule: KeyRule, where: string): void {
    const lost = where === '`paths`' ? ' No pages are generated from it.' : ''
    this.#problems.add('openapi/unknown-field', value - 1, {
      message: `\`${key}\` is not a valid key in ${where}.${lost}`,
      hint: `Write a key such as \`${rule.example}\`.`,
    })
  }

  #checkObject(value: NodeId, shape: Part, key: string): void {
    if (!this.#document.isObject(value)) {
      this.#wrongType(value, key, 'an object')
      return
    }
    const reference = this.#document.field(value, '$ref')
    if (reference !== undefined && (shape.orReference || shape.part === 'pathItem')) {
      this.#refer(value, reference, shape.part)
      if (shape.part !== 'pathItem') {
        this.#checkReferenceTexts(value)
        return
      }
    }
    this.checkPart(value, shape.part)
  }

  /** Checks `summary` and `description` next to a reference, which OpenAPI 3.1 allows. */
  #checkReferenceTexts(reference: NodeId): void {
    if (this.#version === '3.0') return
    for (const key of ['summary', 'description']) {
      const value = this.#document.field(reference, key)
      if (value !== undefined) this.#check(value, { is: 'text' }, key)
    }
  }

  #checkSchema(value: NodeId, key: string): void {
    const kind = this.#document.kind(value)
    if (this.#version !== '3.0' && (kind === KIND.true || kind === KIND.false)) return
    if (kind !== KIND.object) {
      this.#wrongType(value, key, 'a schema')
      return
    }
    const reference = this.#document.field(value, '$ref')
    if (reference !== undefined) {
      this.#refer(value, reference, 'schema')
      // OpenAPI 3.0 ignores keys next to a reference.
      if (this.#version === '3.0') return
    }
    this.checkPart(value, 'schema')
  }

  #refer(node: NodeId, text: NodeId, part: PartName): void {
    if (this.#referring.has(node)) return
    this.#referring.set(node, part)
    if (this.#document.kind(text) === KIND.string) this.references.push({ node, text, part })
    else this.#wrongType(text, '$ref', 'a string')
  }

  #checkEither(value: NodeId, shapes: readonly Shape[], key: string): void {
    const kind = this.#document.kind(value)
    const fits = shapes.find((shape) => kindsOf(shape).includes(kind)) ?? shapes[0]
    if (fits !== undefined) this.#check(value, fits, key)
  }

  #wrongType(value: NodeId, key: string, wanted: string): void {
    const kind = this.#document.kind(value)
    const text = kind === KIND.string ? this.#document.text(value) : ''
    this.#problems.add('openapi/wrong-value', value, {
      message: `\`${key}\` is ${describeKind(kind)}; it must be ${wanted}.`,
      hint: hintFor(key, kind) ?? hintForDigits(text, wanted) ?? `Write ${wanted}.`,
    })
  }
}

function isExtension(key: string): boolean {
  return (EXTENSION_NAMES as readonly string[]).includes(key)
}

function kindsOf(shape: Shape): readonly number[] {
  switch (shape.is) {
    case 'flag':
      return [KIND.true, KIND.false]
    case 'list':
      return [KIND.array]
    case 'text':
    case 'choice':
      return [KIND.string]
    default:
      return [KIND.object]
  }
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function code(text: string): string {
  return `\`${text}\``
}
