/** Constraints of a value besides its type: bounds, enums, patterns. */
import type { PageNode } from '@octavo/content'
import type { Json, MergedSchema, SchemaData } from '@octavo/openapi'
import { fillWords } from '../words/fill-words.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import { component, element, printValue } from './api-context.ts'

/** A list with more values than this is collapsed. */
const VALUES_SHOWN_MAX = 12
const TEXT_LENGTH_MAX = 300

const BOUND_SIGNS: Readonly<Record<string, string>> = {
  minimum: '≥',
  maximum: '≤',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
}

const RULE_WORDS: Readonly<Record<string, keyof InterfaceText>> = {
  multipleOf: 'apiMultiple',
  minLength: 'apiMinLength',
  maxLength: 'apiMaxLength',
  minItems: 'apiMinItems',
  maxItems: 'apiMaxItems',
  exactLength: 'apiExactLength',
  exactItems: 'apiExactItems',
  uniqueItems: 'apiUnique',
  minProperties: 'apiMinProperties',
  maxProperties: 'apiMaxProperties',
  contentMediaType: 'apiMediaType',
  contentEncoding: 'apiEncoding',
}

export function factNodes(schema: MergedSchema, words: InterfaceText): readonly PageNode[] {
  const inner = schema.items?.enum ?? []
  const values = schema.enum ?? inner
  return [
    ...enumNodes(values, schema.default, words),
    ...(schema.const === undefined
      ? []
      : [element('p', { class: 'oct-facts' }, [`${words.apiAlways} `, code(schema.const.value)])]),
    ...ruleNodes(schema, words),
    ...exampleNodes(schema, words),
    ...(schema.docs === undefined
      ? []
      : [
          element('p', {}, [
            element('a', { href: schema.docs.url }, [schema.docs.description ?? words.apiMore]),
          ]),
        ]),
  ]
}

function enumNodes(
  values: readonly Json[],
  byDefault: MergedSchema['default'],
  words: InterfaceText,
): readonly PageNode[] {
  if (values.length === 0) return []
  const usual = JSON.stringify(byDefault?.value)
  const chip = (value: Json) => {
    const isUsual = JSON.stringify(value) === usual
    return isUsual ? element('strong', {}, [code(value)]) : code(value)
  }
  // Styles hide the commas; programs and screen readers need them.
  const list = values.flatMap((value, index) => (index === 0 ? chip(value) : [', ', chip(value)]))
  const chips = element('span', { class: 'oct-values' }, list)
  if (values.length <= VALUES_SHOWN_MAX) {
    return [element('p', { class: 'oct-facts' }, [`${words.apiValues} `, chips])]
  }
  const title = fillWords(words.apiValuesCount, { count: values.length })
  return [component('Expandable', { title }, [element('p', {}, [chips])])]
}

type Rules = NonNullable<MergedSchema['rules']>

/** Joins a lower and an upper bound that are the same: exactly 30 characters. */
function withExactRules(rules: Rules): Rules {
  const of = (keyword: string) => {
    const [only, ...more] = rules.filter(([name]) => name === keyword)
    return more.length === 0 ? only?.[1] : undefined
  }
  return rules.flatMap(([keyword, value]) => {
    const [, side, what] = /^(min|max)(Length|Items)$/.exec(keyword) ?? []
    const isExact = value === of(`min${what}`) && value === of(`max${what}`)
    if (!isExact) return [[keyword, value]]
    return side === 'min' ? [[`exact${what}`, value]] : []
  })
}

function ruleNodes({ rules }: MergedSchema, words: InterfaceText): readonly PageNode[] {
  const facts = withExactRules(rules ?? []).flatMap(([keyword, value]): PageNode[] => {
    if (keyword === 'pattern') return [element('span', {}, [`${words.apiMatches} `, code(value)])]
    return [element('span', {}, [printRule(keyword, printValue(value), words)])]
  })
  const separated = facts.flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))
  return facts.length === 0 ? [] : [element('p', { class: 'oct-facts' }, separated)]
}

function printRule(keyword: string, value: string, words: InterfaceText): string {
  const sign = BOUND_SIGNS[keyword]
  if (sign !== undefined) return `${sign} ${value}`
  const word = RULE_WORDS[keyword]
  return word === undefined ? `${keyword}: ${value}` : fillWords(words[word], { value })
}

/** Shows examples of simple values; examples of objects are next to the text. */
function exampleNodes({ examples }: MergedSchema, words: InterfaceText): readonly PageNode[] {
  const [first] = examples ?? []
  if (first === undefined || (typeof first === 'object' && first !== null)) return []
  return [element('p', { class: 'oct-facts' }, [`${words.example} `, code(first)])]
}

function code(value: unknown): PageNode {
  const text = printValue(value) ?? ''
  const shown = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
  return element('code', {}, [shown === '' ? '""' : shown])
}

/** Prints a type such as `string<date> | null` or `Pet[]`. */
export function typeOf(schema: MergedSchema, resolve: (of: SchemaData) => MergedSchema): string {
  const name = nameOf(schema.refs)
  const format = schema.format === undefined ? '' : `<${schema.format}>`
  const types = (schema.types ?? []).map((type) => {
    if (type === 'array' && schema.items !== undefined) {
      const items = resolve(schema.items)
      const inner = nameOf(items.refs) ?? plainType(items)
      return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
    }
    return type === 'object' && name !== undefined ? name : `${type}${format}`
  })
  if (types.length > 0) return types.join(' | ')
  if (schema.never) return 'never'
  return `${name ?? plainType(schema)}${schema.nullable ? ' | null' : ''}`
}

function plainType(schema: MergedSchema): string {
  if (schema.types !== undefined) return schema.types.join(' | ')
  if (schema.properties !== undefined) return 'object'
  if (schema.choices.length > 0) return 'choice'
  if (schema.const !== undefined) return typeOfValue(schema.const.value)
  return schema.enum === undefined ? 'any' : 'enum'
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export function nameOf(refs: readonly string[]): string | undefined {
  const ref = refs.find((one) => one.startsWith('#/components/'))
  return ref === undefined ? undefined : lastStep(ref)
}

export function lastStep(ref: string): string {
  const step = ref.split('/').at(-1) ?? ref
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
