/** Generates valid requests to the operations of a specification, with tools that are not ours. */
import { createRequire } from 'node:module'
import type { ValidateFunction } from 'ajv'
import { generateSync } from 'json-schema-faker'
import type { Chance } from '../../fuzz/openapi/change-specification.ts'
import { type Fields, isFields, SchemaConverter, TooComplex } from './json-schema.ts'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')

export type DraftParameter = {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly schema: Fields
  /** The query pairs, or the only text. */
  text: string
}

export type Draft = {
  readonly method: string
  readonly template: string
  readonly methods: readonly string[]
  parameters: DraftParameter[]
  credentials: { readonly place: string; readonly name: string; readonly text: string }[]
  readonly credentialPlaces: readonly string[]
  body:
    | { type: string; value: unknown; readonly validate: ValidateFunction | undefined }
    | undefined
  readonly isBodyRequired: boolean
}

type Operation = {
  readonly template: string
  readonly item: Fields
  readonly method: string
  readonly operation: Fields
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head']
const ATTEMPTS = 4

export class DraftMaker {
  readonly #root: Fields
  readonly #chance: Chance
  readonly #converter: SchemaConverter
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    unicodeRegExp: false,
    logger: false,
  })
  readonly #validators = new Map<unknown, { schema: Fields; validate: ValidateFunction } | string>()
  readonly #operations: Operation[] = []
  readonly skipped = new Map<string, number>()

  constructor(root: Fields, chance: Chance) {
    this.#root = root
    this.#chance = chance
    this.#converter = new SchemaConverter(root)
    for (const [template, written] of Object.entries(isFields(root.paths) ? root.paths : {})) {
      const item = this.#converter.resolve(written)
      for (const method of METHODS) {
        const operation = item[method]
        if (isFields(operation) && !/[?#]/.test(template))
          this.#operations.push({ template, item, method, operation })
      }
    }
  }

  get operationCount(): number {
    return this.#operations.length
  }

  /** Returns a valid request; undefined if none could be generated for the chosen operation. */
  make(): Draft | undefined {
    const chosen = this.#chance.pick(this.#operations)
    try {
      return this.#draft(chosen)
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error
      const reason = error.message || 'schema too complex'
      this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
      return undefined
    }
  }

  #draft({ template, item, method, operation }: Operation): Draft {
    const written = new Map<string, Fields>()
    for (const owner of [item, operation]) {
      for (const one of Array.isArray(owner.parameters) ? owner.parameters : []) {
        const parameter = this.#converter.resolve(one)
        written.set(`${parameter.in} ${parameter.name}`, parameter)
      }
    }
    const parameters: DraftParameter[] = []
    for (const parameter of written.values()) {
      const isHeader = parameter.in === 'header'
      if (isHeader && /^(?:accept|authorization|content-type)$/i.test(String(parameter.name)))
        continue
      const isRequired = parameter.required === true || parameter.in === 'path'
      if (!isRequired && this.#chance.below(10) >= 4) continue
      const made = this.#parameter(parameter, isRequired)
      if (made === undefined && isRequired)
        throw new TooComplex(`required ${parameter.in} parameter`)
      if (made !== undefined) parameters.push(made)
    }
    const inTemplate = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
    if (
      inTemplate.some(
        (name) => !parameters.some((one) => one.place === 'path' && one.name === name),
      )
    )
      throw new TooComplex('undescribed path parameter')
    const { credentials, places } = this.#credentials(operation)
    // Some specifications also describe an API key as a parameter.
    const isCredential = ({ place, name }: DraftParameter) =>
      credentials.some((one) => one.place === place && one.name === name)
    const methods = METHODS.filter((one) => isFields(item[one])).map((one) => one.toUpperCase())
    const requestBody = this.#converter.resolve(operation.requestBody)
    return {
      method: method.toUpperCase(),
      template,
      methods,
      parameters: parameters.filter((one) => !isCredential(one)),
      credentials,
      credentialPlaces: places,
      body: 'requestBody' in operation ? this.#body(requestBody) : undefined,
      isBodyRequired: requestBody.required === true,
    }
  }

  #parameter(parameter: Fields, isRequired: boolean): DraftParameter | undefined {
    const place = String(parameter.in)
    const name = String(parameter.name)
    const [media] = isFields(parameter.content) ? Object.values(parameter.content) : []
    const written = isFields(media) ? media.schema : parameter.schema
    const { schema, value } = this.#value(written ?? {})
    const text =
      media === undefined
        ? printParameter(parameter, value)
        : printParameter({ ...parameter, style: undefined }, JSON.stringify(value))
    if (text === undefined) return undefined
    return { name, place, isRequired, schema, text }
  }

  #body(body: Fields): Draft['body'] {
    const content = isFields(body.content) ? Object.entries(body.content) : []
    const usable = content.filter(
      ([type]) => !type.includes('*') && !/multipart\/(?!form-data)/.test(type),
    )
    if (usable.length === 0) throw new TooComplex('body of an unknown type')
    const [type, media] = this.#chance.pick(usable)
    const isChecked = /json|urlencoded|form-data|^text\/plain/.test(type)
    if (!isChecked) return { type, value: undefined, validate: undefined }
    const { value, validate } = this.#value(isFields(media) ? (media.schema ?? {}) : {})
    return { type, value, validate }
  }

  #value(written: unknown) {
    const known = this.#validators.get(written) ?? this.#compile(written)
    this.#validators.set(written, known)
    if (typeof known === 'string') throw new TooComplex(known)
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      let value: unknown
      try {
        value = generateSync(known.schema as never, {
          seed: this.#chance.below(1e9),
          optionalsProbability: 0.5,
          maxDefaultItems: 2,
          maxLength: 40,
        })
      } catch {
        continue
      }
      if (value !== undefined && known.validate(value)) return { ...known, value }
    }
    throw new TooComplex('no valid value generated')
  }

  #compile(written: unknown): { schema: Fields; validate: ValidateFunction } | string {
    try {
      const schema = this.#converter.convert(written)
      return { schema, validate: this.#ajv.compile(schema) }
    } catch (error) {
      return error instanceof TooComplex ? 'schema too complex' : 'schema not compiled by Ajv'
    }
  }

  #credentials(operation: Fields) {
    const security = operation.security ?? this.#root.security
    const alternatives = (Array.isArray(security) ? security : []).filter(isFields)
    const components = isFields(this.#root.components) ? this.#root.components : {}
    const schemes = isFields(components.securitySchemes) ? components.securitySchemes : {}
    const placed = alternatives.map((one) =>
      Object.keys(one).map((name) => credentialOf(this.#converter.resolve(schemes[name]))),
    )
    const isOpen =
      alternatives.length === 0 || placed.some((one) => one.every(({ place }) => place === ''))
    const credentials = (placed[0] ?? []).filter(({ place }) => place !== '')
    const places = isOpen ? [] : placed.flat().map(({ place, name }) => `${place}.${name}`)
    return { credentials, places }
  }
}

function credentialOf(scheme: Fields) {
  if (scheme.type === 'mutualTLS' || scheme.type === undefined)
    return { place: '', name: '', text: '' }
  if (scheme.type === 'apiKey') {
    return { place: String(scheme.in), name: String(scheme.name), text: 'key' }
  }
  const kind = scheme.type === 'http' ? String(scheme.scheme) : 'Bearer'
  return { place: 'header', name: 'Authorization', text: `${kind} abc` }
}

/** Prints a parameter as OpenAPI describes its style; undefined if the style cannot express it. */
function printParameter(parameter: Fields, value: unknown): string | undefined {
  const place = String(parameter.in)
  const name = encodeURIComponent(String(parameter.name))
  const style = parameter.style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  const explode = (parameter.explode ?? style === 'form') === true
  const isQuery = place === 'query'
  const texts = Array.isArray(value) ? value.map(plain) : undefined
  const fields = isFields(value) ? Object.entries(value) : undefined
  const pair = (text: string) => (isQuery ? `${name}=${text}` : text)
  if (style === 'deepObject') {
    if (fields === undefined || fields.length === 0) return undefined
    const printed = printBrackets(String(parameter.name), value)
    return printed
      ?.map(([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`)
      .join('&')
  }
  if (texts !== undefined) {
    if (texts.length === 0 || texts.some((text) => text === undefined || /^$|[,|; ]/.test(text)))
      return undefined
    const encoded = texts.map((text) => encodeURIComponent(text ?? ''))
    if (style === 'label') return `.${encoded.join(explode ? '.' : ',')}`
    if (style === 'matrix')
      return explode
        ? encoded.map((text) => `;${name}=${text}`).join('')
        : `;${name}=${encoded.join(',')}`
    if (isQuery && explode) return encoded.map(pair).join('&')
    return pair(
      encoded.join(style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? '%20' : ','),
    )
  }
  if (fields !== undefined) {
    const printed = fields.map(([key, one]) => [encodeURIComponent(key), plain(one)] as const)
    if (
      printed.length === 0 ||
      printed.some(([, text]) => text === undefined || /[,|; =]/.test(text))
    )
      return undefined
    if (isQuery && explode)
      return printed.map(([key, text]) => `${key}=${encodeURIComponent(text ?? '')}`).join('&')
    if (style !== 'simple' && style !== 'form') return undefined
    return pair(
      printed
        .map(([key, text]) => `${key}${explode ? '=' : ','}${encodeURIComponent(text ?? '')}`)
        .join(','),
    )
  }
  const text = plain(value)
  if (text === undefined || (text === '' && place !== 'query')) return undefined
  if (place === 'header')
    return /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !/%/.test(text) ? text : undefined
  const encoded = encodeURIComponent(text)
  if (style === 'label') return `.${encoded}`
  if (style === 'matrix') return `;${name}=${encoded}`
  return pair(encoded)
}

/** Prints an object as `name[key]`; undefined if a value cannot be expressed so. */
export function printBrackets(name: string, value: unknown): [string, string][] | undefined {
  if (Array.isArray(value) || isFields(value)) {
    const pairs: [string, string][] = []
    const entries = Object.entries(value)
    if (entries.length === 0) return undefined
    for (const [key, one] of entries) {
      const printed = printBrackets(`${name}[${key}]`, one)
      if (printed === undefined || /[[\]]/.test(key)) return undefined
      pairs.push(...printed)
    }
    return pairs
  }
  const text = plain(value)
  return text === undefined ? undefined : [[name, text]]
}

function plain(value: unknown): string | undefined {
  return typeof value === 'object' || value === undefined ? undefined : String(value)
}
