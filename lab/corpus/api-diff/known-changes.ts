/** Makes changes with a known class in a specification, without the product's code. */
import type { Chance } from '../../fuzz/openapi/change-specification.ts'

type Level = 'breaking' | 'additive' | 'documentation'
export type KnownChange = { readonly name: string; readonly level: Level; readonly at: string }

type Fields = Record<string, unknown>
type Direction = 'request' | 'response'
type Spot = { readonly at: string; readonly node: Fields; readonly directions: Set<Direction> }

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

export class ChangeMaker {
  readonly #root: Fields
  readonly #chance: Chance
  readonly #operations: {
    readonly at: string
    readonly item: Fields
    readonly method: string
    readonly node: Fields
  }[] = []
  readonly #schemas = new Map<Fields, Spot>()

  constructor(root: Fields, chance: Chance) {
    this.#root = root
    this.#chance = chance
    for (const [path, item] of Object.entries(fields(root.paths))) {
      for (const method of METHODS) {
        const node = this.#follow(fields(item)[method])
        if (node === undefined) continue
        this.#operations.push({ at: `${method} ${path}`, item: fields(item), method, node })
        this.#walkOperation(`${method} ${path}`, fields(item), node)
      }
    }
  }

  /** Changes the specification; returns undefined if the chosen change is not possible. */
  change(): KnownChange | undefined {
    if (this.#operations.length === 0) return undefined
    const isSchema = this.#chance.below(2) === 0 && this.#schemas.size > 0
    if (isSchema) {
      const spot = this.#chance.pick([...this.#schemas.values()])
      const name = this.#chance.pick(Object.keys(SCHEMA_CHANGES))
      const levels = SCHEMA_CHANGES[name]?.(spot.node)
      if (levels === undefined) return undefined
      const found = [...spot.directions].map((one) => levels[one === 'request' ? 0 : 1])
      const level = found.includes('breaking') ? 'breaking' : (found[0] ?? 'documentation')
      return { name, level, at: spot.at }
    }
    const { at, item, method, node } = this.#chance.pick(this.#operations)
    const name = this.#chance.pick(Object.keys(OPERATION_CHANGES))
    const level = OPERATION_CHANGES[name]?.(node, {
      item,
      method,
      follow: (value) => this.#follow(value),
    })
    return level === undefined ? undefined : { name, level, at }
  }

  #walkOperation(at: string, item: Fields, operation: Fields): void {
    for (const parameter of [...list(item.parameters), ...list(operation.parameters)]) {
      this.#walk(this.#follow(parameter)?.schema, 'request', at)
    }
    const bodies = [
      ['request', operation.requestBody],
      ...Object.values(fields(operation.responses)).map((one) => ['response', one]),
    ] as [Direction, unknown][]
    for (const [direction, body] of bodies) {
      const followed = this.#follow(body) ?? {}
      for (const media of Object.values(fields(followed.content)))
        this.#walk(fields(media).schema, direction, at)
      for (const header of Object.values(fields(followed.headers)))
        this.#walk(this.#follow(header)?.schema, direction, at)
    }
    // The API sends the bodies of callbacks.
    for (const callback of Object.values(fields(operation.callbacks))) {
      for (const inner of Object.values(this.#follow(callback) ?? {})) {
        for (const method of METHODS) {
          const event = fields(fields(inner)[method])
          for (const media of Object.values(fields(this.#follow(event.requestBody)?.content)))
            this.#walk(fields(media).schema, 'response', at)
        }
      }
    }
  }

  #walk(written: unknown, direction: Direction, at: string): void {
    const waiting = [written]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = this.#follow(next)
      if (node === undefined || node.readOnly === true || node.writeOnly === true) continue
      const spot = this.#schemas.get(node) ?? { at, node, directions: new Set<Direction>() }
      if (spot.directions.has(direction)) continue
      spot.directions.add(direction)
      this.#schemas.set(node, spot)
      const inner = [
        ...Object.values(fields(node.properties)),
        node.items,
        node.additionalProperties,
      ]
      const options = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => list(node[key]))
      waiting.push(...[...inner, ...options].filter((one) => one !== undefined))
    }
  }

  #follow(value: unknown): Fields | undefined {
    let at = value
    for (let hop = 0; hop < 20; hop += 1) {
      if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined
      const { $ref } = at as Fields
      if (typeof $ref !== 'string') return at as Fields
      const tokens = decodeURIComponent($ref.slice(2)).split('/')
      at = tokens.reduce<unknown>(
        (node, token) => fields(node)[token.replaceAll('~1', '/').replaceAll('~0', '~')],
        this.#root,
      )
    }
    return undefined
  }
}

type Levels = readonly [request: Level, response: Level]
const BREAKING: Levels = ['breaking', 'breaking']
const ADDITIVE: Levels = ['additive', 'additive']
const TEXT: Levels = ['documentation', 'documentation']
const NARROWER: Levels = ['breaking', 'additive']
const WIDER: Levels = ['additive', 'breaking']
const NEW = 'aNewProperty'

const isObject = (node: Fields) =>
  node.properties !== undefined && !('allOf' in node) && !('oneOf' in node) && !('anyOf' in node)
const isPlain = (node: Fields) =>
  typeof node.type === 'string' &&
  !['allOf', 'oneOf', 'anyOf', 'enum', 'const', 'nullable'].some((key) => key in node)

const SCHEMA_CHANGES: Readonly<Record<string, (node: Fields) => Levels | undefined>> = {
  'remove a property': (node) => {
    const properties = fields(node.properties)
    const name = Object.keys(properties).find((one) => {
      const { readOnly, writeOnly, deprecated, $ref } = fields(properties[one])
      return (
        $ref === undefined &&
        !readOnly &&
        !writeOnly &&
        !deprecated &&
        !list(fields(properties[one]).allOf).length
      )
    })
    if (!isObject(node) || name === undefined) return undefined
    delete properties[name]
    if (Array.isArray(node.required)) node.required = node.required.filter((one) => one !== name)
    return BREAKING
  },
  'add a property': (node) => {
    if (!isObject(node)) return undefined
    fields(node.properties)[NEW] = { type: 'string' }
    return ADDITIVE
  },
  'add a required property': (node) => {
    if (!isObject(node)) return undefined
    fields(node.properties)[NEW] = { type: 'string' }
    node.required = [...list(node.required), NEW]
    return NARROWER
  },
  'require a property': (node) => {
    const required = list(node.required)
    const name = visibleNames(node).find((one) => !required.includes(one))
    if (!isObject(node) || name === undefined) return undefined
    node.required = [...required, name]
    return NARROWER
  },
  'no longer require a property': (node) => {
    const name = visibleNames(node).find((one) => list(node.required).includes(one))
    if (!isObject(node) || name === undefined) return undefined
    node.required = list(node.required).filter((one) => one !== name)
    return WIDER
  },
  'change the type': (node) => {
    if (!isPlain(node) || node.type === 'object' || node.type === 'array') return undefined
    node.type = node.type === 'boolean' ? 'string' : 'boolean'
    return BREAKING
  },
  'remove an enum value': (node) => {
    const values = list(node.enum)
    if (values.length < 2 || values.includes(null)) return undefined
    node.enum = values.slice(1)
    return NARROWER
  },
  'add an enum value': (node) => {
    const values = list(node.enum)
    if (values.length === 0 || typeof values[0] !== 'string') return undefined
    node.enum = ['a new value', ...values]
    return WIDER
  },
  'limit the length': (node) => {
    if (!isPlain(node) || node.type !== 'string' || 'maxLength' in node) return undefined
    node.maxLength = 7
    return NARROWER
  },
  'remove a limit': (node) => {
    const key = ['maxLength', 'maximum', 'maxItems'].find((one) => typeof node[one] === 'number')
    if (key === undefined) return undefined
    delete node[key]
    return WIDER
  },
  'describe otherwise': (node) => {
    node.description = 'Something else'
    return TEXT
  },
  deprecate: (node) => {
    if (node.deprecated === true || 'oneOf' in node || 'anyOf' in node) return undefined
    node.deprecated = true
    return TEXT
  },
}

function visibleNames(node: Fields): readonly string[] {
  return Object.entries(fields(node.properties))
    .filter(
      ([, one]) =>
        typeof fields(one).type === 'string' && !fields(one).readOnly && !fields(one).writeOnly,
    )
    .map(([name]) => name)
}

type Around = {
  readonly item: Fields
  readonly method: string
  readonly follow: (value: unknown) => Fields | undefined
}

const OPERATION_CHANGES: Readonly<
  Record<string, (node: Fields, around: Around) => Level | undefined>
> = {
  'remove an operation': (node, { item, method }) => {
    if (node.deprecated === true) return undefined
    delete item[method]
    return 'breaking'
  },
  'add an operation': (node, { item }) => {
    if ('options' in item) return undefined
    item.options = { ...node, operationId: 'aNewOperation' }
    return 'additive'
  },
  'deprecate an operation': (node) => {
    if (node.deprecated === true) return undefined
    node.deprecated = true
    return 'documentation'
  },
  'summarize otherwise': (node) => {
    node.summary = 'Something else'
    return 'documentation'
  },
  'add a parameter': (node) => {
    node.parameters = [
      ...list(node.parameters),
      { name: NEW, in: 'query', schema: { type: 'string' } },
    ]
    return 'additive'
  },
  'add a required parameter': (node) => {
    node.parameters = [
      ...list(node.parameters),
      { name: NEW, in: 'query', required: true, schema: {} },
    ]
    return 'breaking'
  },
  'remove a parameter': (node, { follow }) => {
    const index = list(node.parameters).findIndex(
      (one) => follow(one)?.in === 'query' && follow(one)?.deprecated !== true,
    )
    if (index === -1) return undefined
    node.parameters = list(node.parameters).toSpliced(index, 1)
    return 'breaking'
  },
  'require a parameter': (node) => {
    const parameter = list(node.parameters)
      .map(fields)
      .find((one) => one.in === 'query' && one.required !== true)
    if (parameter === undefined) return undefined
    parameter.required = true
    return 'breaking'
  },
  'remove a success response': (node) => removeResponse(node, /^2/, 'breaking'),
  'remove an error response': (node) => removeResponse(node, /^[45]/, 'additive'),
  'add a response': (node) => {
    if ('418' in fields(node.responses)) return undefined
    node.responses = { ...fields(node.responses), '418': { description: 'Tea' } }
    return 'additive'
  },
  'add a required body': (node) => {
    if ('requestBody' in node) return undefined
    node.requestBody = { required: true, content: { 'application/json': { schema: {} } } }
    return 'breaking'
  },
  'remove the body': (node) => {
    if (!('requestBody' in node)) return undefined
    delete node.requestBody
    return 'breaking'
  },
  'add a media type': (node) => {
    const content = fields(fields(node.requestBody).content)
    if (Object.keys(content).length === 0) return undefined
    content['application/x-new'] = { schema: {} }
    return 'additive'
  },
  'rename a media type': (node) => {
    const body = fields(node.requestBody)
    const [type] = Object.keys(fields(body.content))
    if (type === undefined) return undefined
    body.content = { 'application/x-new': fields(body.content)[type] }
    return 'breaking'
  },
  'demand a credential': (node) => {
    node.security = [{ aNewScheme: [] }]
    return 'breaking'
  },
}

function removeResponse(node: Fields, status: RegExp, level: Level): Level | undefined {
  const responses = fields(node.responses)
  const name = Object.keys(responses).find((one) => status.test(one))
  if (name === undefined || Object.keys(responses).length === 1 || `${name[0]}XX` in responses)
    return undefined
  node.responses = Object.fromEntries(Object.entries(responses).filter(([one]) => one !== name))
  return level
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
