/** What is said of a value besides its type: bounds, choices, patterns. */
import type { PageNode } from '@octavo/content'
import type { MergedSchema, SchemaData } from '@octavo/openapi'
import { component, element, printValue } from './api-context.ts'

/** More values than this are folded. */
const VALUES_SHOWN_MAX = 12
const TEXT_LENGTH_MAX = 300

const RULE_WORDS: Readonly<Record<string, (value: string) => string>> = {
  minimum: (value) => `≥ ${value}`,
  maximum: (value) => `≤ ${value}`,
  exclusiveMinimum: (value) => `> ${value}`,
  exclusiveMaximum: (value) => `< ${value}`,
  multipleOf: (value) => `multiple of ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: () => 'no item twice',
  minProperties: (value) => `at least ${value} properties`,
  maxProperties: (value) => `at most ${value} properties`,
  contentMediaType: (value) => `media type ${value}`,
  contentEncoding: (value) => `encoded as ${value}`,
}

export function factNodes(schema: MergedSchema): readonly PageNode[] {
  const inner = schema.items?.enum ?? []
  const values = schema.enum ?? inner
  return [
    ...enumNodes(values),
    ...(schema.const === undefined
      ? []
      : [element('p', { class: 'oct-facts' }, ['Always ', code(schema.const.value)])]),
    ...ruleNodes(schema),
    ...exampleNodes(schema),
    ...(schema.docs === undefined
      ? []
      : [
          element('p', {}, [
            element('a', { href: schema.docs.url }, [schema.docs.description ?? 'More about it']),
          ]),
        ]),
  ]
}

function enumNodes(values: readonly unknown[]): readonly PageNode[] {
  if (values.length === 0) return []
  const list = (some: readonly unknown[]) =>
    some.flatMap((value, index) => (index === 0 ? [code(value)] : [', ', code(value)]))
  if (values.length <= VALUES_SHOWN_MAX) {
    return [element('p', { class: 'oct-facts' }, ['One of ', ...list(values)])]
  }
  const title = `One of ${values.length} values`
  return [component('Expandable', { title }, [element('p', {}, list(values))])]
}

function ruleNodes({ rules }: MergedSchema): readonly PageNode[] {
  const facts = (rules ?? []).flatMap(([keyword, value]): PageNode[] => {
    const written = printValue(value)
    if (keyword === 'pattern') return [element('span', {}, ['matches ', code(value)])]
    return [element('span', {}, [RULE_WORDS[keyword]?.(written) ?? `${keyword}: ${written}`])]
  })
  return facts.length === 0 ? [] : [element('p', { class: 'oct-facts' }, facts)]
}

/** Of something simple; objects show theirs beside the text. */
function exampleNodes({ examples }: MergedSchema): readonly PageNode[] {
  const [first] = examples ?? []
  if (first === undefined || (typeof first === 'object' && first !== null)) return []
  return [element('p', { class: 'oct-facts' }, ['Example ', code(first)])]
}

function code(value: unknown): PageNode {
  const text = printValue(value) ?? ''
  const shown = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
  return element('code', {}, [shown === '' ? '""' : shown])
}

/** `string<date> | null`, `Pet[]`. */
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
  if (name !== undefined) return name
  if (schema.never) return 'never'
  return plainType(schema)
}

function plainType(schema: MergedSchema): string {
  if (schema.types !== undefined) return schema.types.join(' | ')
  if (schema.properties !== undefined) return 'object'
  if (schema.choices.length > 0) return 'choice'
  return schema.enum === undefined ? 'any' : 'enum'
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
