/**
 * Converts an operation or a schema to the same kind of tree as other pages, so that it is
 * rendered, searched and served to programs in the same way.
 */
import type { HeadingNode, PageNode } from '@octavo/content'
import { slug } from '@octavo/model'
import {
  type BodyData,
  type MediaData,
  type OperationPage,
  type ParameterData,
  type ResponseData,
  type SampleVariants,
  type SchemaData,
  sampleVariants,
  serversOf,
} from '@octavo/openapi'
import { type ApiContext, component, element } from './api-context.ts'
import { endpointNode } from './endpoint-node.ts'
import {
  type BodyVariant,
  followResponse,
  mediaExamples,
  requestExamples,
  responseExamples,
} from './example-nodes.ts'
import { PARAMETER_PLACES } from './parameter-places.ts'
import { SchemaPrinter } from './schema-nodes.ts'
import { securityNodes, serverNodes } from './security-nodes.ts'

export function operationNodes(page: OperationPage, context: ApiContext): readonly PageNode[] {
  const variants = sampleVariants(page, context)
  const followed = new SchemaPrinter(context, variants?.choice.of[0])
  return new OperationPrinter(context, followed).operation(page, bodyVariants(variants, followed))
}

/** Returns the alternatives that the sample can follow: those that differ in their titles. */
function bodyVariants(
  variants: SampleVariants | undefined,
  printer: SchemaPrinter,
): readonly BodyVariant[] {
  if (variants === undefined) return []
  const titles = printer.optionTitles(variants.choice.of, variants.discriminator)
  if (new Set(titles).size < titles.length) return []
  return variants.values.map((value, index) => ({ title: titles[index] ?? '', value }))
}

/** Renders only the endpoint and sample requests, for a page whose author writes the rest. */
export function endpointNodes(page: OperationPage, context: ApiContext): readonly PageNode[] {
  return [endpointNode(page, serversOf(page, context), context), ...requestExamples(page, context)]
}

export function schemaNodes(schema: SchemaData, context: ApiContext): readonly PageNode[] {
  const printer = new SchemaPrinter(context)
  const place = { direction: 'both', above: [], anchor: 'schema' } as const
  return [
    ...printer.text(printer.merged(schema).description),
    ...printer.inside(schema, place),
    ...schemaExample(schema, context),
  ]
}

/**
 * Renders the fields of one part of a schema, without its description. This content is loaded when
 * a reader opens a nested level.
 */
export function fragmentNodes(schema: SchemaData, context: ApiContext): readonly PageNode[] {
  const printer = new SchemaPrinter(context)
  return printer.inside(schema, { direction: 'both', above: ['', ''], anchor: 'deeper' })
}

function schemaExample(schema: SchemaData, context: ApiContext): readonly PageNode[] {
  const [example] = mediaExamples({ type: 'application/json', schema }, 'response', context)
  if (example === undefined) return []
  const code = {
    kind: 'code',
    language: 'json',
    options: { title: context.words.example },
  } as const
  return [component('ResponseExample', {}, [{ ...code, text: example.value }])]
}

/** Anchors are not translated, so that links stay valid in every language. */
const PLACE_ANCHORS = {
  path: 'path-parameters',
  query: 'query-parameters',
  header: 'headers',
  cookie: 'cookies',
} as const

class OperationPrinter {
  readonly #context: ApiContext
  readonly #schemas: SchemaPrinter
  readonly #ids = new Map<string, number>()

  constructor(context: ApiContext, schemas: SchemaPrinter) {
    this.#context = context
    this.#schemas = schemas
  }

  operation(page: OperationPage, variants: readonly BodyVariant[]): readonly PageNode[] {
    const context = this.#context
    const { words } = context
    const security = securityNodes(page, context, (text) => this.#schemas.text(text))
    const servers = serverNodes(page, context)
    return [
      endpointNode(page, serversOf(page, context), context),
      ...this.#schemas.text(page.summary),
      ...this.#schemas.text(page.description),
      ...(page.docs === undefined
        ? []
        : [
            element('p', {}, [
              element('a', { href: page.docs.url }, [page.docs.description ?? words.apiMore]),
            ]),
          ]),
      ...requestExamples(page, context, variants),
      ...responseExamples(page.responses, context),
      ...(servers.length === 0 ? [] : [this.#heading(words.apiServers, 2, 'servers'), ...servers]),
      ...(security.length === 0
        ? []
        : [this.#heading(words.apiAuthorization, 2, 'authorization'), ...security]),
      ...this.#parameters(page),
      ...this.#body(page.body, { title: words.apiBody, level: 2, anchor: 'body' }),
      ...this.#callbacks(page),
      ...this.#responses(page.responses, { level: 2, anchor: 'response' }),
    ]
  }

  get #words(): ApiContext['words'] {
    return this.#context.words
  }

  #parameters(page: OperationPage): readonly PageNode[] {
    const all = (page.parameters ?? []).flatMap((written) => {
      if (!('ref' in written)) return [written]
      const part = this.#context.part(written.ref)
      if (part?.kind !== 'parameter') return []
      const { description = part.parameter.description } = written
      return [{ ...part.parameter, ...(description === undefined ? {} : { description }) }]
    })
    return PARAMETER_PLACES.flatMap(([place, title]) => {
      const here = all.filter((parameter) => parameter.in === place)
      if (here.length === 0) return []
      const heading = this.#heading(this.#words[title], 2, PLACE_ANCHORS[place])
      return [heading, ...here.map((parameter) => this.#parameter(parameter))]
    })
  }

  #parameter(parameter: ParameterData): PageNode {
    const { name, required, deprecated, description } = parameter
    const schema = parameter.schema ?? parameter.content?.[0]?.schema ?? {}
    const place = { direction: 'request', above: [], anchor: 'parameter' } as const
    return this.#schemas.field({ name, required, deprecated, description }, schema, place)
  }

  #body(
    written: OperationPage['body'],
    at: { readonly title: string; readonly level: number; readonly anchor: string },
  ): readonly PageNode[] {
    if (written === undefined) return []
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    const shared: BodyData | undefined = part?.kind === 'body' ? part.body : undefined
    const body = 'ref' in written ? shared : written
    if (body === undefined) return []
    const { description = body.description } = written
    return [
      this.#heading(at.title, at.level, at.anchor),
      ...(body.required ? [] : [element('p', { class: 'oct-facts' }, [this.#words.apiOptional])]),
      ...this.#schemas.text(description),
      ...this.#contents(body.content, 'request', at.anchor),
    ]
  }

  /** Shows a single media type directly, and several as tabs. */
  #contents(
    content: readonly MediaData[],
    direction: 'request' | 'response',
    anchor: string,
  ): readonly PageNode[] {
    const parts = content.map((media) => ({ media, nodes: this.#media(media, direction, anchor) }))
    const [first] = parts
    if (first === undefined) return []
    if (parts.length === 1) {
      const type = element('p', { class: 'oct-media-type' }, [first.media.type])
      return [type, ...first.nodes]
    }
    const tabs = parts.map(({ media, nodes }) => component('Tab', { title: media.type }, nodes))
    return [component('Tabs', { sync: false }, tabs)]
  }

  #media(media: MediaData, direction: 'request' | 'response', anchor: string): readonly PageNode[] {
    const { schema } = media
    const examples = direction === 'request' ? this.#bodyExamples(media) : []
    if (schema === undefined) return examples
    const place = { direction, above: [], anchor }
    const merged = this.#schemas.merged(schema)
    const inside = this.#schemas.inside(schema, place)
    const isObject = merged.properties !== undefined || merged.choices.length > 0
    const named = merged.types?.includes('array') || (!isObject && inside.length === 0)
    return [
      ...(named ? [this.#schemas.type(schema)] : []),
      ...this.#schemas.text(merged.description),
      ...inside,
      ...examples,
    ]
  }

  /**
   * Shows the author's examples if there are several; the request example next to the text shows
   * only the first.
   */
  #bodyExamples(media: MediaData): readonly PageNode[] {
    if ((media.examples ?? []).length < 2) return []
    const blocks = mediaExamples(media, 'request', this.#context).map(({ name, value }) => ({
      kind: 'code' as const,
      language: 'json',
      options: { title: name },
      text: value,
    }))
    return [component('CodeGroup', { dropdown: blocks.length > 3 }, blocks)]
  }

  /**
   * Renders callbacks between body and responses, collapsed ("API playground and specification
   * details" 7).
   */
  #callbacks({ callbacks }: OperationPage): readonly PageNode[] {
    const all = (callbacks ?? []).flatMap((written) => {
      if (!('ref' in written)) return [written]
      const part = this.#context.part(written.ref)
      const shared = part?.kind === 'callback' ? part.callbacks : []
      return shared.map((callback) => ({ ...callback, name: written.name }))
    })
    if (all.length === 0) return []
    const sections = all.map((callback) => {
      const { name, method, expression, description, summary, body, responses } = callback
      const anchor = `callback-${slug(name)}-${method.toLowerCase()}`
      return component('Accordion', { title: name, description: `${method} ${expression}` }, [
        element('p', { class: 'oct-endpoint oct-endpoint-small' }, [
          element('span', { class: `oct-method oct-method-${method.toLowerCase()}` }, [method]),
          ' ',
          element('code', {}, [expression]),
        ]),
        ...this.#schemas.text(summary),
        ...this.#schemas.text(description),
        ...this.#body(body, { title: this.#words.apiBody, level: 3, anchor: `${anchor}-body` }),
        ...this.#responses(responses, { level: 3, anchor: `${anchor}-response` }),
      ])
    })
    return [
      this.#heading(this.#words.apiCallbacks, 2, 'callbacks'),
      component('AccordionGroup', {}, sections),
    ]
  }

  #responses(
    responses: OperationPage['responses'],
    at: { readonly level: number; readonly anchor: string },
  ): readonly PageNode[] {
    if (responses.length === 0) return []
    const main = (responses.find((one) => one.status.startsWith('2')) ?? responses[0])?.status
    const heading = this.#heading(this.#words.apiResponses, at.level, `${at.anchor}s`)
    const tabs = responses.map(({ status, response: written }) => {
      const anchor = `${at.anchor}-${slug(status)}`
      // The tab shows the status too; the heading is for search and for the Markdown version.
      const title = this.#heading(status, at.level + 1, anchor)
      const response = followResponse(written, this.#context)
      // Fields of the success response have short anchors: `response-id`.
      const isMain = status === main
      const place = isMain ? at.anchor : anchor
      const { description = response?.description } = written
      const body = response === undefined ? [] : this.#contents(response.content, 'response', place)
      return component('Response', { status, ...(isMain ? { main: true } : {}) }, [
        title,
        ...this.#schemas.text(description),
        ...(response === undefined ? [] : this.#headers(response, anchor)),
        ...body,
        ...(response === undefined ? [] : this.#links(response)),
      ])
    })
    return [heading, component('Responses', {}, tabs)]
  }

  #headers({ headers }: ResponseData, anchor: string): readonly PageNode[] {
    const fields = (headers ?? []).map((written) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const header = part?.kind === 'header' ? part.header : 'ref' in written ? undefined : written
      const place = { direction: 'response', above: [], anchor: `${anchor}-header` } as const
      const { required, deprecated, description, schema = {} } = header ?? {}
      const field = { name: written.name, required, deprecated, description }
      return this.#schemas.field(field, schema, place)
    })
    return fields.length === 0
      ? []
      : [component('Expandable', { title: this.#words.apiHeaders }, fields)]
  }

  #links({ links }: ResponseData): readonly PageNode[] {
    const items = (links ?? []).flatMap((written) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const link = part?.kind === 'link' ? part.link : 'ref' in written ? undefined : written
      const about = [link?.operation, link?.description].filter((one) => one !== undefined)
      return [element('li', {}, [element('code', {}, [written.name]), ` ${about.join(' – ')}`])]
    })
    return items.length === 0
      ? []
      : [element('p', { class: 'oct-choice' }, [this.#words.apiLinks]), element('ul', {}, items)]
  }

  #heading(text: string, level: number, wanted: string): HeadingNode {
    const count = (this.#ids.get(wanted) ?? 0) + 1
    this.#ids.set(wanted, count)
    const id = count === 1 ? wanted : `${wanted}-${count}`
    return { kind: 'heading', level, id, children: [text] }
  }
}
