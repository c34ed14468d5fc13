/** Changes a valid request so that it has exactly one fault, at a known place. */
import type { Chance } from '../../fuzz/openapi/change-specification.ts'
import type { Draft, DraftParameter } from './draft-request.ts'
import { type Fields, isFields } from './json-schema.ts'

export type Fault = {
  readonly kind: string
  /** The places that are right: usually one. */
  readonly places: readonly string[]
  readonly draft: Draft
  /** Replaces the bytes of the body. */
  readonly rawBody?: string
  readonly target?: (target: string) => string
}

type Maker = (draft: Draft, chance: Chance) => Fault | undefined

const ATTEMPTS = 40

/** Plants a fault of a value if the request has one that can be wrong, mostly. */
export function plantFault(draft: Draft, chance: Chance): Fault | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isPlain = attempt > ATTEMPTS / 2 || chance.below(5) === 0
    const fault = chance.pick(isPlain ? PLAIN : OF_VALUES)(structuredCopy(draft), chance)
    if (fault !== undefined) return fault
  }
  return undefined
}

function structuredCopy(draft: Draft): Draft {
  const body = draft.body && { ...draft.body, value: structuredClone(draft.body.value) }
  return { ...draft, parameters: draft.parameters.map((one) => ({ ...one })), body }
}

const OF_VALUES: readonly Maker[] = [
  dropParameter,
  wrongType,
  wrongEnum,
  wrongBound,
  dropBody,
  wrongValue,
  wrongValue,
  wrongValue,
  wrongValue,
]

const PLAIN: readonly Maker[] = [
  unknownParameter,
  dropCredential,
  wrongMediaType,
  malformedJson,
  wrongPath,
  wrongMethod,
]

function dropParameter(draft: Draft, chance: Chance): Fault | undefined {
  const required = draft.parameters.filter(
    ({ isRequired, place }) => isRequired && place !== 'path',
  )
  // A spread object has other names in the query.
  const plain = required.filter(({ schema }) => typeOf(schema) !== 'object')
  if (plain.length === 0) return undefined
  const dropped = chance.pick(plain)
  draft.parameters = draft.parameters.filter((one) => one !== dropped)
  return { kind: 'dropped parameter', places: [placeOf(dropped)], draft }
}

function wrongType(draft: Draft, chance: Chance): Fault | undefined {
  const typed = draft.parameters.filter(({ schema }) =>
    ['integer', 'number', 'boolean'].includes(typeOf(schema)),
  )
  return changeText(draft, typed, { chance, kind: 'parameter of a wrong type', text: 'wrong' })
}

function wrongEnum(draft: Draft, chance: Chance): Fault | undefined {
  const listed = draft.parameters.filter(({ schema }) => Array.isArray(schema.enum))
  return changeText(draft, listed, { chance, kind: 'unlisted value', text: 'octavo-unlisted' })
}

function wrongBound(draft: Draft, chance: Chance): Fault | undefined {
  const bounded = draft.parameters.flatMap((one) => {
    const text = outside(one.schema)
    return text === undefined ? [] : [{ one, text }]
  })
  if (bounded.length === 0) return undefined
  const { one, text } = chance.pick(bounded)
  return changeText(draft, [one], { chance, kind: 'parameter out of bounds', text })
}

/** Returns a text outside of the bounds of a schema. */
function outside(schema: Fields): string | undefined {
  const { maximum, minimum, maxLength } = schema
  const isNumber = ['integer', 'number'].includes(typeOf(schema))
  const bound = [maximum, minimum].find((limit) => Number.isSafeInteger(limit))
  if (isNumber && bound !== undefined) return String(Number(bound) + (bound === maximum ? 1 : -1))
  const isText = typeOf(schema) === 'string' && typeof maxLength === 'number' && maxLength < 5_000
  return isText ? 'x'.repeat(maxLength + 1) : undefined
}

function changeText(
  draft: Draft,
  candidates: readonly DraftParameter[],
  { chance, kind, text }: { readonly chance: Chance; readonly kind: string; readonly text: string },
): Fault | undefined {
  const simple = candidates.filter(({ text: old }) => !/[,;&|]|%20|^\./.test(old))
  if (simple.length === 0) return undefined
  const one = chance.pick(simple)
  one.text = one.place === 'query' ? `${encodeURIComponent(one.name)}=${text}` : text
  return { kind, places: [placeOf(one)], draft }
}

function unknownParameter(draft: Draft): Fault | undefined {
  const name = 'octavo_unknown'
  // An open object takes any name.
  if (
    draft.parameters.some(({ schema, place }) => place === 'query' && typeOf(schema) === 'object')
  )
    return undefined
  draft.parameters.push({ name, place: 'query', isRequired: false, schema: {}, text: `${name}=1` })
  return { kind: 'unknown parameter', places: [`query.${name}`], draft }
}

function dropCredential(draft: Draft): Fault | undefined {
  if (draft.credentialPlaces.length === 0 || draft.credentials.length === 0) return undefined
  draft.credentials = []
  const described = draft.parameters.some((one) => draft.credentialPlaces.includes(placeOf(one)))
  return described
    ? undefined
    : { kind: 'dropped credential', places: draft.credentialPlaces, draft }
}

function dropBody(draft: Draft): Fault | undefined {
  if (draft.body === undefined || !draft.isBodyRequired) return undefined
  draft.body = undefined
  return { kind: 'dropped body', places: ['body'], draft }
}

function wrongMediaType(draft: Draft): Fault | undefined {
  if (draft.body === undefined) return undefined
  draft.body = { ...draft.body, type: 'application/octavo-unknown', value: 'x' }
  return { kind: 'wrong media type', places: ['header.Content-Type'], draft }
}

function malformedJson(draft: Draft): Fault | undefined {
  if (draft.body === undefined || !/json$/.test(draft.body.type)) return undefined
  return {
    kind: 'malformed JSON',
    places: ['body'],
    draft,
    rawBody: `${JSON.stringify(draft.body.value)}}`,
  }
}

function wrongPath(draft: Draft): Fault | undefined {
  if (!/^\/[a-z]/i.test(draft.template)) return undefined
  return {
    kind: 'wrong path',
    places: ['path'],
    draft,
    target: (target) => `/octavo-wrong/octavo${target}`,
  }
}

function wrongMethod(draft: Draft): Fault | undefined {
  const other = ['PUT', 'PATCH', 'DELETE', 'POST'].find((method) => !draft.methods.includes(method))
  if (other === undefined) return undefined
  return { kind: 'wrong method', places: ['method'], draft: { ...draft, method: other } }
}

/** Changes one value of a JSON body or a form, if another validator then refuses it. */
function wrongValue(draft: Draft, chance: Chance): Fault | undefined {
  const { body } = draft
  if (body?.validate === undefined || !/json|urlencoded/.test(body.type)) return undefined
  const value = { root: body.value }
  const sites = sitesIn(value, '')
  const site = chance.pick(sites)
  // Text has no type, so in a form only some changes are faults.
  const isForm = /urlencoded/.test(body.type)
  const change = chance.pick(CHANGES.filter(({ name }) => !isForm || FORM_CHANGES.has(name)))
  const below = change(site, chance)
  if (below === undefined || body.validate(value.root)) return undefined
  const pointer = `${site.pointer}${below}`.replace(/^\/root/, '')
  // A validator names the choice of options, not the value, if no option fits.
  const choices = (body.validate.errors ?? [])
    .filter(({ keyword }) =>
      ['anyOf', 'oneOf', 'not', 'contains', 'minProperties', 'uniqueItems'].includes(keyword),
    )
    .map(({ instancePath }) => instancePath)
  const around = choices.filter((choice) => pointer.startsWith(choice))
  const places = [pointer, ...around].map((one) => (one === '' ? 'body' : `body ${one}`))
  return {
    kind: `body: ${change.name}`,
    places,
    draft: { ...draft, body: { ...body, value: value.root } },
  }
}

type Site = { readonly holder: Fields | unknown[]; readonly key: string; readonly pointer: string }

function sitesIn(holder: Fields | unknown[], pointer: string): readonly Site[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const inside = isFields(value) || Array.isArray(value) ? sitesIn(value, at) : []
    return [{ holder, key, pointer: at }, ...inside]
  })
}

function valueAt({ holder, key }: Site): unknown {
  return (holder as Fields)[key]
}

function put({ holder, key }: Site, value: unknown): string {
  ;(holder as Fields)[key] = value
  return ''
}

const CHANGES: readonly ((site: Site, chance: Chance) => string | undefined)[] = [
  function otherType(site, chance) {
    const old = valueAt(site)
    const others = ['octavo', 12_345.5, true, {}, [], null].filter(
      (one) => kindOf(one) !== kindOf(old),
    )
    return put(site, chance.pick(others))
  },
  function droppedProperty(site, chance) {
    const old = valueAt(site)
    if (!isFields(old) || Object.keys(old).length === 0) return undefined
    delete old[chance.pick(Object.keys(old))]
    return ''
  },
  function extraProperty(site) {
    const old = valueAt(site)
    if (!isFields(old)) return undefined
    old.octavoExtra = 'x'
    return '/octavoExtra'
  },
  function otherText(site) {
    return typeof valueAt(site) === 'string' ? put(site, 'octavo-unlisted') : undefined
  },
  function textForNumber(site) {
    const isPlain = ['number', 'boolean'].includes(typeof valueAt(site))
    return isPlain ? put(site, 'octavo') : undefined
  },
  function outOfBounds(site, chance) {
    const old = valueAt(site)
    if (typeof old === 'string') return put(site, chance.pick(['', 'x'.repeat(3_000)]))
    return typeof old === 'number' ? put(site, chance.pick([-1e12, 1e12])) : undefined
  },
]

const FORM_CHANGES = new Set(['droppedProperty', 'extraProperty', 'otherText', 'textForNumber'])

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return value === null ? 'null' : typeof value
}

function typeOf(schema: Fields): string {
  return typeof schema.type === 'string' ? schema.type : ''
}

function placeOf({ place, name }: DraftParameter): string {
  return `${place}.${name}`
}
