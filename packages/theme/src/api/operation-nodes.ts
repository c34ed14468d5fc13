/**
 * An operation or a schema → the same tree that pages have, so it is rendered, searched and given to
 * programs like any page. The playground and the looks of the API reference come on top of this.
 */
import type { ComponentNode, ElementNode, HeadingNode, PageNode, Props } from '@octavo/content'
import { slug } from '@octavo/model'
import {
  type BodyData,
  type MediaData,
  type MergedSchema,
  mergeSchema,
  type OperationPage,
  type PageContext,
  type ParameterData,
  pillsOf,
  printCodeSample,
  type ResponseData,
  type SchemaData,
  sampleOf,
  sampleRequest,
  securityOf,
  serversOf,
} from '@octavo/openapi'

export type ApiContext = PageContext & {
  /** Descriptions are Markdown of strangers: read as such, never as MDX. */
  readonly markdown: (text: string) => readonly PageNode[]
}

/** Levels of a schema that a page shows; deeper ones are named. */
const LEVELS_MAX = 5

export function operationNodes(page: OperationPage, context: ApiContext): readonly PageNode[] {
  return new ApiPrinter(context).operation(page)
}

export function schemaNodes(schema: SchemaData, context: ApiContext): readonly PageNode[] {
  return new ApiPrinter(context).schema(schema, 'response', [])
}

type Direction = 'request' | 'response'

class ApiPrinter {
  readonly #context: ApiContext
  readonly #ids = new Map<string, number>()

  constructor(context: ApiContext) {
    this.#context = context
  }

  operation(page: OperationPage): readonly PageNode[] {
    return [
      ...this.#text(page.description),
      element('p', { class: 'oct-endpoint' }, [
        element('strong', { class: `oct-method oct-method-${page.method.toLowerCase()}` }, [
          page.kind === 'webhook' ? 'Webhook' : page.method,
        ]),
        ' ',
        element('code', {}, [page.path]),
      ]),
      ...this.#servers(page),
      ...this.#security(page),
      ...this.#parameters(page),
      ...this.#body(page.body, 'Body', 2),
      ...this.#callbacks(page),
      ...this.#responses(page.responses, 2),
      ...this.#samples(page),
    ]
  }

  #servers(page: OperationPage): readonly PageNode[] {
    const servers = serversOf(page, this.#context)
    if (servers.length === 0) return []
    const items = servers.map(({ url, description }) =>
      element('li', {}, [
        element('code', {}, [url]),
        ...(description === undefined ? [] : [` ${description}`]),
      ]),
    )
    return [this.#heading('Servers', 2), element('ul', { class: 'oct-servers' }, items)]
  }

  #security(page: OperationPage): readonly PageNode[] {
    const alternatives = securityOf(page, this.#context)
    if (alternatives.length === 0) return []
    const items = alternatives.map((alternative) => {
      if (alternative.length === 0) return element('li', {}, ['None'])
      return element(
        'li',
        {},
        alternative.flatMap(({ scheme: name, scopes }, index) => [
          ...(index === 0 ? [] : [' and ']),
          ...this.#scheme(name),
          ...(scopes === undefined ? [] : [` (${scopes.join(', ')})`]),
        ]),
      )
    })
    return [this.#heading('Authorization', 2), element('ul', { class: 'oct-security' }, items)]
  }

  #scheme(name: string): readonly PageNode[] {
    const scheme = this.#context.frame.schemes.find((one) => one.name === name)
    if (scheme === undefined) return [element('code', {}, [name])]
    const where =
      scheme.type === 'apiKey'
        ? `${scheme.in ?? 'header'} ${scheme.key ?? name}`
        : scheme.type === 'http'
          ? `HTTP ${scheme.scheme ?? ''}`
          : scheme.type
    return [element('code', {}, [name]), ` (${where.trim()})`]
  }

  #parameters(page: OperationPage): readonly PageNode[] {
    const all = (page.parameters ?? []).flatMap((written) => {
      if (!('ref' in written)) return [written]
      const part = this.#context.part(written.ref)
      if (part?.kind !== 'parameter') return []
      const { description = part.parameter.description } = written
      return [{ ...part.parameter, ...(description === undefined ? {} : { description }) }]
    })
    return (
      [
        ['path', 'Path parameters'],
        ['query', 'Query parameters'],
        ['header', 'Headers'],
        ['cookie', 'Cookies'],
      ] as const
    ).flatMap(([place, title]) => {
      const here = all.filter((parameter) => parameter.in === place)
      if (here.length === 0) return []
      return [this.#heading(title, 2), ...here.map((parameter) => this.#parameter(parameter))]
    })
  }

  #parameter(parameter: ParameterData): PageNode {
    const { name, required, deprecated, description } = parameter
    const schema = parameter.schema ?? parameter.content?.[0]?.schema ?? {}
    return this.#field({ name, required, deprecated, description }, schema, 'request', [])
  }

  #body(written: OperationPage['body'], title: string, level: number): readonly PageNode[] {
    if (written === undefined) return []
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    const shared: BodyData | undefined = part?.kind === 'body' ? part.body : undefined
    const body = 'ref' in written ? shared : written
    if (body === undefined) return []
    const { description = body.description } = written
    return [
      this.#heading(body.required ? `${title} (required)` : title, level),
      ...this.#text(description),
      ...body.content.flatMap((media) => this.#media(media, 'request')),
    ]
  }

  #callbacks({ callbacks }: OperationPage): readonly PageNode[] {
    const all = (callbacks ?? []).flatMap((written) => {
      if (!('ref' in written)) return [written]
      const part = this.#context.part(written.ref)
      const shared = part?.kind === 'callback' ? part.callbacks : []
      return shared.map((callback) => ({ ...callback, name: written.name }))
    })
    if (all.length === 0) return []
    return [
      this.#heading('Callbacks', 2),
      ...all.map((callback) =>
        component('Accordion', { title: `${callback.name}: ${callback.method}` }, [
          element('p', {}, [
            element('strong', { class: 'oct-method' }, [callback.method]),
            ' ',
            element('code', {}, [callback.expression]),
          ]),
          ...this.#text(callback.description ?? callback.summary),
          ...this.#body(callback.body, 'Body', 3),
          ...this.#responses(callback.responses, 3),
        ]),
      ),
    ]
  }

  #responses(responses: OperationPage['responses'], level: number): readonly PageNode[] {
    if (responses.length === 0) return []
    return [
      this.#heading('Responses', level),
      ...responses.flatMap(({ status, response: written }) => {
        const part = 'ref' in written ? this.#context.part(written.ref) : undefined
        const shared: ResponseData | undefined =
          part?.kind === 'response' ? part.response : undefined
        const response = 'ref' in written ? shared : written
        if (response === undefined) return [this.#heading(status, level + 1)]
        const { description = response.description } = written
        return [
          this.#heading(status, level + 1),
          ...this.#text(description),
          ...this.#headers(response),
          ...response.content.flatMap((media) => this.#media(media, 'response')),
        ]
      }),
    ]
  }

  #headers({ headers }: ResponseData): readonly PageNode[] {
    return (headers ?? []).map((written) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const header = part?.kind === 'header' ? part.header : 'ref' in written ? {} : written
      const {
        required,
        deprecated,
        description,
        schema = {},
      } = {
        ...header,
      } as Partial<ParameterData>
      const name = `${written.name} (header)`
      return this.#field({ name, required, deprecated, description }, schema, 'response', [])
    })
  }

  #media(media: MediaData, direction: Direction): readonly PageNode[] {
    const schema = media.schema === undefined ? [] : this.schema(media.schema, direction, [])
    return [
      element('p', { class: 'oct-media-type' }, [element('code', {}, [media.type])]),
      ...schema,
      ...this.#examples(media, direction),
    ]
  }

  #examples(media: MediaData, direction: Direction): readonly PageNode[] {
    const named = (media.examples ?? []).flatMap((written) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const example = part?.kind === 'example' ? part.example : written
      if ('ref' in example || example.value === undefined) return []
      const title = example.summary ?? (written.name === 'example' ? 'Example' : written.name)
      return [{ title, value: example.value }]
    })
    const sample = named.length > 0 ? undefined : sampleOf(media, direction, this.#context)
    const all = sample === undefined ? named : [{ title: 'Example', value: sample }]
    return all.map(({ title, value }) => ({
      kind: 'code' as const,
      language: typeof value === 'string' ? undefined : 'json',
      options: { title },
      text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    }))
  }

  /** What stands inside a body or a response. */
  schema(schema: SchemaData, direction: Direction, above: readonly string[]): readonly PageNode[] {
    const merged = this.#merged(schema)
    if (above.length >= LEVELS_MAX || merged.refs.some((ref) => above.includes(ref))) return []
    const within = [...above, merged.refs[0] ?? '']
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly'
    const fields = (merged.properties ?? []).flatMap(({ name, required, schema: value }) =>
      this.#merged(value)[hidden]
        ? []
        : [this.#field({ name, required, description: undefined }, value, direction, within)],
    )
    const items = merged.items === undefined ? [] : this.schema(merged.items, direction, within)
    const choices = merged.choices.flatMap(({ kind, of }) => [
      element('p', {}, [kind === 'one' ? 'One of' : 'Any of']),
      ...of.map((option, index) =>
        component(
          'Expandable',
          { title: titleOf(option) ?? `Option ${index + 1}` },
          this.schema(option, direction, within),
        ),
      ),
    ])
    const additional =
      typeof merged.additional === 'object'
        ? [this.#field({ name: '(any other)' }, merged.additional, direction, within)]
        : []
    return [...fields, ...additional, ...items, ...choices]
  }

  #field(
    field: {
      readonly name: string
      readonly required?: boolean | undefined
      readonly deprecated?: boolean | undefined
      readonly description?: string | undefined
    },
    schema: SchemaData,
    direction: Direction,
    above: readonly string[],
  ): PageNode {
    const merged = this.#merged(schema)
    const { before, after } = pillsOf(merged)
    const inside = this.schema(schema, direction, above)
    const facts = [
      ...(merged.enum === undefined ? [] : [`One of: ${merged.enum.map(printValue).join(', ')}.`]),
      ...(merged.const === undefined ? [] : [`Always ${printValue(merged.const.value)}.`]),
      ...(merged.rules ?? []).map(([keyword, value]) => `${keyword}: ${printValue(value)}.`),
    ]
    const props: Props = {
      name: field.name,
      type: typeOf(merged),
      ...(field.required ? { required: true } : {}),
      ...(field.deprecated || merged.deprecated ? { deprecated: true } : {}),
      ...(merged.default === undefined ? {} : { default: printValue(merged.default.value) }),
      ...(before.length === 0 ? {} : { pre: before }),
      ...(after.length === 0 ? {} : { post: after }),
    }
    return component('ResponseField', props, [
      ...this.#text(field.description ?? merged.description),
      ...(facts.length === 0 ? [] : [element('p', { class: 'oct-facts' }, [facts.join(' ')])]),
      ...(inside.length === 0 ? [] : [component('Expandable', { title: 'Properties' }, inside)]),
    ])
  }

  #merged(schema: SchemaData): MergedSchema {
    return mergeSchema(schema, (ref) => {
      const part = this.#context.part(ref)
      return part?.kind === 'schema' ? part.schema : undefined
    })
  }

  #samples(page: OperationPage): readonly PageNode[] {
    const own = (page.samples ?? []).map(({ language, label, source }) => ({
      kind: 'code' as const,
      language: language.toLowerCase(),
      options: { title: label ?? language },
      text: source,
    }))
    if (own.length > 0) return [component('RequestExample', {}, own)]
    if (page.kind === 'webhook') return []
    const request = sampleRequest({ page, ...this.#context, parameters: 'required' })
    const curl: PageNode = {
      kind: 'code',
      language: 'bash',
      options: { title: 'cURL' },
      text: printCodeSample('bash', request),
    }
    return [component('RequestExample', {}, [curl])]
  }

  #text(text: string | undefined): readonly PageNode[] {
    return text === undefined || text.trim() === '' ? [] : this.#context.markdown(text)
  }

  #heading(text: string, level: number): HeadingNode {
    const name = slug(text)
    const count = (this.#ids.get(name) ?? 0) + 1
    this.#ids.set(name, count)
    return { kind: 'heading', level, id: count === 1 ? name : `${name}-${count}`, children: [text] }
  }
}

function typeOf(schema: MergedSchema): string {
  const name = schema.refs
    .find((ref) => ref.startsWith('#/components/'))
    ?.split('/')
    .at(-1)
  const types = schema.types?.join(' | ') ?? (schema.choices.length > 0 ? 'choice' : 'any')
  const format = schema.format === undefined ? '' : `<${schema.format}>`
  return `${types}${format}${name === undefined ? '' : ` · ${name}`}`
}

function titleOf(schema: SchemaData): string | undefined {
  return schema.title ?? schema.ref?.split('/').at(-1) ?? schema.types?.join(' | ')
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly PageNode[],
): ElementNode {
  return { kind: 'element', tag, attributes, children }
}

function component(name: string, props: Props, children: readonly PageNode[]): ComponentNode {
  return { kind: 'component', name, props, slots: undefined, children }
}
