/** Reads the value of a parameter from a request, in the styles of OpenAPI. */
import { SchemaFlattener } from '../differences/flat-schema.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import type { OperationParameter } from '../operations/operation-parameters.ts'
import type { Specification } from '../specification.ts'
import { decodePart, decodeQueryPart } from './decode-part.ts'
import type { QueryPair } from './query-pairs.ts'
import { keysOf, readBrackets } from './read-brackets.ts'
import { jsonReading, type TextValue, textValue } from './text-values.ts'

/** Where a request has its parameters. */
export type ParameterSource = {
  readonly path: ReadonlyMap<string, string>
  readonly query: readonly QueryPair[]
  /** The names of all query parameters of the operation. */
  readonly queryNames: ReadonlySet<string>
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyMap<string, string>
}

export type ReadParameter = {
  /** Undefined if the request does not have the parameter. */
  readonly value: TextValue | undefined
  /** The names in the query that belong to the parameter. */
  readonly names: readonly string[]
}

export class ParameterReader {
  readonly #specification: Specification
  readonly #schemas: SchemaFlattener

  constructor(specification: Specification) {
    this.#specification = specification
    this.#schemas = new SchemaFlattener(specification)
  }

  read(parameter: OperationParameter, source: ParameterSource): ReadParameter {
    const { name, place } = parameter
    if (place === 'query') return this.#inQuery(parameter, source)
    const written = textIn(place, name, source)
    if (written === undefined) return { value: undefined, names: [] }
    return { value: this.#fromText(parameter, written), names: [] }
  }

  #inQuery(parameter: OperationParameter, source: ParameterSource): ReadParameter {
    const { name } = parameter
    const { query } = source
    const style = this.#style(parameter)
    if (style === 'deepObject') return inBrackets(name, query)
    const own = query.filter((pair) => pair.name === name)
    if (this.#isSpread(parameter) && own.length === 0) return this.#spreadObject(parameter, source)
    const [first] = own
    if (first === undefined) return { value: undefined, names: [] }
    const value =
      own.length === 1
        ? this.#fromText(parameter, first.written)
        : listOf(own.map(({ written }) => decodeQueryPart(written)))
    return { value, names: [name] }
  }

  /** Reads the properties of an object that is spread over the query. */
  #spreadObject(
    { node }: OperationParameter,
    { query, queryNames }: ParameterSource,
  ): ReadParameter {
    const { document } = this.#specification
    const schema = document.field(node, 'schema')
    const { types, properties, keywords } =
      schema === undefined
        ? { types: undefined, properties: new Map(), keywords: new Map() }
        : this.#schemas.flatten(schema)
    if (schema === undefined || types?.has('object') !== true)
      return { value: undefined, names: [] }
    const additional = keywords.get('additionalProperties')
    const isOpen =
      additional === undefined ? properties.size === 0 : document.kind(additional) !== KIND.false
    const own = query.filter(
      ({ name }) => properties.has(name) || (isOpen && !queryNames.has(name)),
    )
    if (own.length === 0) return { value: undefined, names: [] }
    return { value: fieldsOf(own), names: own.map(({ name }) => name) }
  }

  #fromText(parameter: OperationParameter, written: string): TextValue {
    const { place, name, node } = parameter
    const decode = place === 'query' ? decodeQueryPart : decodePart
    if (this.#specification.document.field(node, 'content') !== undefined) {
      const text = decode(written)
      return textValue(text, jsonReading(text))
    }
    const style = this.#style(parameter)
    const isSpread = this.#isSpread(parameter)
    const plain = withoutPrefix(written, { style, name })
    const separators = separatorsOf(style, isSpread)
    const isOne = place === 'query' && isSpread
    const texts =
      isOne || plain === '' ? [plain].filter((text) => text !== '') : split(plain, separators)
    const items = texts.map((text) =>
      style === 'matrix' && isSpread ? text.replace(`${name}=`, '') : text,
    )
    const list = listOf(items.map(decode))
    const object = isSpread ? pairsWithEquals(texts, decode) : pairsInTurn(items.map(decode))
    return textValue(decode(plain), object === undefined ? [list] : [list, object])
  }

  #style({ node, place }: OperationParameter): string {
    const written = this.#specification.document.textField(node, 'style')
    return written ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  }

  #isSpread(parameter: OperationParameter): boolean {
    const { document } = this.#specification
    const written: NodeId | undefined = document.field(parameter.node, 'explode')
    if (written !== undefined) return document.kind(written) === KIND.true
    return this.#style(parameter) === 'form'
  }
}

/** Returns what separates the items of a list, in both forms in which clients send it. */
function separatorsOf(style: string, isSpread: boolean): readonly RegExp[] {
  switch (style) {
    case 'spaceDelimited':
      return [/\+|%20| /]
    case 'pipeDelimited':
      return [/\|/, /%7c/i]
    case 'label':
      return isSpread ? [/\./] : [/,/, /%2c/i]
    case 'matrix':
      return isSpread ? [/;/, /%3b/i] : [/,/, /%2c/i]
    default:
      return [/,/, /%2c/i]
  }
}

function split(text: string, separators: readonly RegExp[]): readonly string[] {
  const separator = separators.find((one) => one.test(text))
  return separator === undefined ? [text] : text.split(separator)
}

/** Removes what the styles `label` and `matrix` put before the value. */
function withoutPrefix(
  written: string,
  { style, name }: { readonly style: string; readonly name: string },
): string {
  const text = written.replace(/^%3b/i, ';')
  if (style === 'label') return text.replace(/^\./, '')
  if (style !== 'matrix') return written
  return text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text.replace(/^;/, '')
}

function textIn(place: string, name: string, source: ParameterSource): string | undefined {
  if (place === 'path') return source.path.get(name)
  return place === 'header' ? source.headers.get(name.toLowerCase()) : source.cookies.get(name)
}

function listOf(texts: readonly string[]): TextValue {
  return { kind: 'list', items: texts.map((text) => textValue(text.trim())) }
}

/** Reads `role=admin,name=Ada`; undefined if a part is not a pair. */
function pairsWithEquals(
  texts: readonly string[],
  decode: (text: string) => string,
): TextValue | undefined {
  const fields = new Map<string, TextValue>()
  for (const text of texts) {
    const [key = '', value] = split(text, [/=(.*)/s, /%3d(.*)/is])
    if (value === undefined) return undefined
    fields.set(decode(key), textValue(decode(value)))
  }
  return { kind: 'object', fields }
}

/** Reads `role,admin,name,Ada`; undefined if a value is missing. */
function pairsInTurn(texts: readonly string[]): TextValue | undefined {
  if (texts.length % 2 !== 0) return undefined
  const fields = new Map<string, TextValue>()
  for (let at = 0; at < texts.length; at += 2) {
    fields.set(texts[at] ?? '', textValue(texts[at + 1] ?? ''))
  }
  return { kind: 'object', fields }
}

function inBrackets(name: string, query: readonly QueryPair[]): ReadParameter {
  const own = query.filter((pair) => keysOf(pair.name)[0] === name)
  if (own.length === 0) return { value: undefined, names: [] }
  const fields = readBrackets(
    own.map((pair) => [pair.name, textValue(decodeQueryPart(pair.written))] as const),
  )
  return { value: fields.get(name), names: own.map((pair) => pair.name) }
}

function fieldsOf(query: readonly QueryPair[]): TextValue {
  const byName = Map.groupBy(query, (pair) => pair.name)
  const fields = new Map<string, TextValue>()
  for (const [name, pairs] of byName) {
    const texts = pairs.map(({ written }) => decodeQueryPart(written))
    const list = listOf(texts)
    fields.set(name, texts.length > 1 ? list : textValue(texts[0] ?? '', [list]))
  }
  return { kind: 'object', fields }
}
