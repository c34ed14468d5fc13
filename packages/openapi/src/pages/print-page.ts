/**
 * Prints the data of a page as text, for the expected files of the fixtures. Links are followed a
 * few levels deep. Below that, only their names are printed.
 */
import type { Json } from '../document/spec-document.ts'
import type { Direction } from '../values/value-context.ts'
import { defined } from './endpoint-data.ts'
import { type MergedSchema, mergeSchema, pillsOf, type ResolveSchema } from './merge-schema.ts'
import { type PageContext, sampleOf, securityOf, serversOf } from './page-context.ts'
import type {
  BodyData,
  CallbackData,
  ExampleData,
  FlowData,
  HeaderData,
  Link,
  MediaData,
  OperationPage,
  ParameterData,
  ResponseData,
  SchemaData,
  SecuritySchemeData,
  StatusData,
} from './page-data.ts'

const LEVELS_MAX = 4

export function printPage(page: OperationPage, context: PageContext): string {
  return `${new PagePrinter(context).page(page).join('\n')}\n`
}

/** Prints the page of a single schema, as the frontmatter field `openapi-schema` creates it. */
export function printSchemaPage(name: string, schema: SchemaData, context: PageContext): string {
  const lines = [`schema ${name}`, ...new PagePrinter(context).schema(schema, '  ', [])]
  return `${lines.join('\n')}\n`
}

class PagePrinter {
  readonly #context: PageContext
  readonly #resolve: ResolveSchema

  constructor(context: PageContext) {
    this.#context = context
    this.#resolve = (ref) => {
      const part = context.part(ref)
      return part?.kind === 'schema' ? part.schema : undefined
    }
  }

  page(page: OperationPage): readonly string[] {
    const name = page.kind === 'webhook' ? `webhook ${page.path}` : `${page.method} ${page.path}`
    return [
      `${name}  ${JSON.stringify(page.title)}${page.deprecated ? '  deprecated' : ''}`,
      ...field('summary', page.summary),
      ...field('description', page.description),
      ...field('operationId', page.operationId),
      ...field('tags', page.tags),
      ...field('docs', page.docs?.url),
      ...field('metadata', page.metadata),
      ...field('content', page.content),
      ...serversOf(page, this.#context).flatMap(({ url, description, variables }) => [
        `  server ${url}${description === undefined ? '' : `  ${JSON.stringify(description)}`}`,
        ...(variables ?? []).map(
          (variable) =>
            `    {${variable.name}} = ${variable.default}${variable.values === undefined ? '' : `  of ${variable.values.join(', ')}`}`,
        ),
      ]),
      ...this.#security(page),
      ...this.#parameters(page),
      ...this.#body(page.body, '  '),
      ...(page.callbacks ?? []).flatMap((callback) => this.#callbacks(callback)),
      ...this.#responses(page.responses, '  '),
      ...(page.samples ?? []).map(
        ({ language, label, source }) =>
          `  sample ${language}${label === undefined ? '' : ` "${label}"`}: ${JSON.stringify(source)}`,
      ),
    ]
  }

  #callbacks(written: NonNullable<OperationPage['callbacks']>[number]): readonly string[] {
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    const shared = part?.kind === 'callback' ? part.callbacks : []
    const callbacks: readonly CallbackData[] = 'ref' in written ? shared : [written]
    return callbacks.flatMap(({ expression, method, summary, description, body, responses }) => [
      `  callback ${written.name}: ${method} ${expression}${printFlags({ description: summary })}${printFlags({ description })}`,
      ...this.#body(body, '    '),
      ...this.#responses(responses, '    '),
    ])
  }

  #security(page: OperationPage): readonly string[] {
    return securityOf(page, this.#context).map((alternative) => {
      const names = alternative.map(({ scheme, scopes }) => {
        const known = this.#context.frame.schemes.find(({ name }) => name === scheme)
        const where = known === undefined ? 'not defined' : describeScheme(known)
        return `${scheme} (${where})${scopes === undefined ? '' : ` ${scopes.join(' ')}`}`
      })
      return `  security ${names.length === 0 ? 'none' : names.join(' & ')}`
    })
  }

  #parameters({ parameters }: OperationPage): readonly string[] {
    return ['path', 'query', 'header', 'cookie'].flatMap((place) => {
      const here = (parameters ?? []).filter((parameter) => parameter.in === place)
      if (here.length === 0) return []
      return [`  ${place}`, ...here.flatMap((parameter) => this.#parameter(parameter))]
    })
  }

  #parameter(written: NonNullable<OperationPage['parameters']>[number]): readonly string[] {
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    if (part?.kind === 'parameter') {
      const { description = part.parameter.description } = 'ref' in written ? written : {}
      return this.#field({ ...part.parameter, ...defined({ description }) }, '    ')
    }
    return 'ref' in written ? [`    → ${written.ref}`] : this.#field(written, '    ')
  }

  #field(parameter: ParameterData | HeaderData, indent: string): readonly string[] {
    const { name, required, deprecated, description, schema, content } = parameter
    const flags = { required, deprecated, description }
    if (schema === undefined) {
      const types = (content ?? []).flatMap((media) => this.#media(media, 'request', `${indent}  `))
      return [`${indent}${name}${printFlags(flags)}`, ...types]
    }
    const merged = mergeSchema(schema, this.#resolve)
    return [
      this.#line(indent, name, merged, flags),
      ...printStyle(parameter, `${indent}  `),
      ...this.#examples(parameter.examples, `${indent}  `),
      ...this.#sample(parameter, 'request', `${indent}  `),
      ...this.#inside(merged, `${indent}  `, []),
    ]
  }

  #body(written: OperationPage['body'], indent: string): readonly string[] {
    if (written === undefined) return []
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    const body: BodyData | undefined =
      part?.kind === 'body' ? part.body : 'ref' in written ? undefined : written
    if (body === undefined) return [`${indent}body → ${'ref' in written ? written.ref : ''}`]
    const { required, description = body.description } = { ...body, ...writtenTexts(written) }
    return [
      `${indent}body${printFlags({ required, description })}`,
      ...body.content.flatMap((media) => this.#media(media, 'request', `${indent}  `)),
    ]
  }

  #responses(responses: readonly StatusData[], indent: string): readonly string[] {
    return responses.flatMap(({ status, response: written }) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const response =
        part?.kind === 'response' ? part.response : 'ref' in written ? undefined : written
      if (response === undefined) return [`${indent}response ${status} → broken`]
      const { headers, content, links } = response
      const { description = response.description } = writtenTexts(written)
      return [
        `${indent}response ${status}${printFlags({ description })}`,
        ...(headers ?? []).flatMap((header) => this.#header(header, `${indent}  `)),
        ...content.flatMap((media) => this.#media(media, 'response', `${indent}  `)),
        ...(links ?? []).map((link) => this.#link(link, `${indent}  `)),
      ]
    })
  }

  #link(written: NonNullable<ResponseData['links']>[number], indent: string): string {
    const part = 'ref' in written ? this.#context.part(written.ref) : undefined
    const shared = part?.kind === 'link' ? part.link : undefined
    const { operation, description } = 'ref' in written ? { ...shared } : written
    return `${indent}link ${written.name} → ${operation ?? '?'}${printFlags({ description })}`
  }

  #header(
    header: HeaderData | { readonly name: string; readonly ref: string },
    indent: string,
  ): readonly string[] {
    if (!('ref' in header)) return this.#field({ ...header, name: `header ${header.name}` }, indent)
    const part = this.#context.part(header.ref)
    const shared = part?.kind === 'header' ? part.header : {}
    return this.#field({ ...shared, name: `header ${header.name}` }, indent)
  }

  #sample(
    place: MediaData | ParameterData | HeaderData,
    direction: Direction,
    indent: string,
  ): readonly string[] {
    if (place.examples !== undefined) return []
    const value = sampleOf(place, direction, this.#context)
    return value === undefined ? [] : [`${indent}sample ${JSON.stringify(value)}`]
  }

  #media(media: MediaData, direction: Direction, indent: string): readonly string[] {
    const schema = media.schema === undefined ? [] : this.schema(media.schema, `${indent}  `, [])
    return [
      `${indent}${media.type}`,
      ...schema,
      ...this.#examples(media.examples, `${indent}  `),
      ...this.#sample(media, direction, `${indent}  `),
      ...(media.encoding ?? []).map(
        ({ property, mediaType, style }) =>
          `${indent}  ${property} as ${[mediaType, style].filter((text) => text !== undefined).join(' ')}`,
      ),
    ]
  }

  #examples(examples: readonly ExampleData[] | undefined, indent: string): readonly string[] {
    return (examples ?? []).map((written) => {
      const part = 'ref' in written ? this.#context.part(written.ref) : undefined
      const example = part?.kind === 'example' ? part.example : written
      if ('ref' in example) return `${indent}example ${written.name} → ${example.ref}`
      const { value, url } = example
      const { summary = example.summary } = writtenTexts(written)
      const label = summary === undefined ? '' : `  ${JSON.stringify(summary)}`
      return `${indent}example ${written.name}${label}: ${url ?? JSON.stringify(value)}`
    })
  }

  /** Prints a schema on one line, followed by the lines of its content. */
  schema(schema: SchemaData, indent: string, above: readonly string[]): readonly string[] {
    const merged = mergeSchema(schema, this.#resolve)
    return [this.#line(indent, '', merged, {}), ...this.#inside(merged, indent, above)]
  }

  #line(indent: string, name: string, schema: MergedSchema, flags: Flags): string {
    const { before, after } = pillsOf(schema)
    const pre = before.map((pill) => `[${pill}] `).join('')
    const post = after.map((pill) => ` [${pill}]`).join('')
    const label = `${pre}${name}${post}`
    const description = flags.description ?? schema.description
    const all = { ...flags, ...(schema.deprecated ? { deprecated: true } : {}), description }
    const facts = `${printType(schema)}${printFlags(all)}${printRules(schema)}`
    return `${indent}${label === '' ? facts : `${label}: ${facts}`}`
  }

  #inside(schema: MergedSchema, indent: string, above: readonly string[]): readonly string[] {
    if (schema.refs.some((ref) => above.includes(ref))) return [`${indent}  (see above)`]
    if (above.length >= LEVELS_MAX) return hasContent(schema) ? [`${indent}  …`] : []
    const within = [...above, ...(schema.refs.length === 0 ? [''] : schema.refs)]
    const inner = `${indent}  `
    const named = (name: string, value: SchemaData, flags: Flags = {}) => {
      const merged = mergeSchema(value, this.#resolve)
      return [this.#line(inner, name, merged, flags), ...this.#inside(merged, inner, within)]
    }
    const { additional } = schema
    return [
      ...(schema.properties ?? []).flatMap(({ name, required, schema: value }) =>
        named(name, value, { required }),
      ),
      ...(schema.required === undefined
        ? []
        : [`${inner}(required: ${schema.required.join(', ')})`]),
      ...(schema.patternProperties ?? []).flatMap(([pattern, value]) =>
        named(`/${pattern}/`, value),
      ),
      ...(additional === true ? [`${inner}(anything else)`] : []),
      ...(additional === false ? [`${inner}(nothing else)`] : []),
      ...(typeof additional === 'object' ? named('(any other)', additional) : []),
      ...(schema.prefixItems ?? []).flatMap((item, index) => named(`[${index}]`, item)),
      ...(schema.items === undefined ? [] : named('[]', schema.items)),
      ...schema.choices.flatMap(({ kind, of }) => [
        `${inner}${kind === 'one' ? 'one of' : 'any of'}${schema.discriminator === undefined ? '' : `, by ${schema.discriminator.property}`}`,
        ...of.flatMap((option) => this.schema(option, `${inner}  `, within)),
      ]),
      ...(schema.discriminator === undefined || schema.choices.length > 0
        ? []
        : [`${inner}(kinds by ${schema.discriminator.property})`]),
      ...(schema.discriminator?.mapping ?? []).map(([value, ref]) => `${inner}${value} → ${ref}`),
      ...(schema.not === undefined ? [] : named('not', schema.not)),
      ...(schema.others ?? []).flatMap(([keyword, value]) => named(keyword, value)),
    ]
  }
}

type Flags = {
  readonly required?: boolean | undefined
  readonly deprecated?: boolean | undefined
  readonly description?: string | undefined
}

function printFlags({ required, deprecated, description }: Flags): string {
  return [
    required ? '  required' : '',
    deprecated ? '  deprecated' : '',
    description === undefined ? '' : `  ${JSON.stringify(description)}`,
  ].join('')
}

function printType(schema: MergedSchema): string {
  if (schema.never) return 'nothing fits'
  const ownTypes = schema.types ?? (schema.nullable ? ['any', 'null'] : undefined)
  const types = ownTypes?.join(' | ') ?? (schema.dynamicRef === undefined ? 'any' : '')
  const format = schema.format === undefined ? '' : `<${schema.format}>`
  const dynamic = schema.dynamicRef === undefined ? '' : `dynamic ${schema.dynamicRef}`
  const name = schema.refs
    .map(nameOfRef)
    .filter((text) => text !== '')
    .join(' = ')
  return `${types}${format}${dynamic}${name === '' ? '' : ` ${name}`}`
}

/** Returns the name of a reference's target. A broken reference is printed as written. */
function nameOfRef(ref: string): string {
  if (!ref.startsWith('#/')) return `→ ${ref}`
  const tokens = ref.split('/')
  const isNamed =
    tokens.at(1) === 'components' || /^(?:\$defs|definitions)$/.test(tokens.at(-2) ?? '')
  return isNamed ? (tokens.at(-1) ?? '') : ''
}

function printRules(schema: MergedSchema): string {
  const values: (readonly [string, Json | undefined])[] = [
    ['title', schema.title],
    ...(schema.rules ?? []),
    ['enum', schema.enum],
    ['const', schema.const?.value],
    ['default', schema.default?.value],
    ['prefill', schema.prefill?.value],
    ['examples', schema.examples],
    ['docs', schema.docs?.url],
  ]
  return values
    .filter(([, value]) => value !== undefined)
    .map(([keyword, value]) => `  ${keyword} ${JSON.stringify(value)}`)
    .join('')
}

function hasContent(schema: MergedSchema): boolean {
  return schema.properties !== undefined || schema.items !== undefined || schema.choices.length > 0
}

function describeScheme(scheme: SecuritySchemeData): string {
  const parts = [
    scheme.type,
    scheme.scheme,
    scheme.in && `${scheme.in} ${scheme.key}`,
    scheme.flows?.map(printFlow).join(', '),
    scheme.prefill && `prefilled ${scheme.prefill}`,
  ]
  return parts.filter((text) => text !== undefined && text !== '').join(' ')
}

function printFlow({ kind, authorizationUrl, tokenUrl, scopes }: FlowData): string {
  const names = scopes.map(([scope]) => scope)
  return [kind, authorizationUrl, tokenUrl, ...names].filter((text) => text !== undefined).join(' ')
}

function printStyle({ style, explode }: ParameterData | HeaderData, indent: string) {
  const words = [
    ...(style === undefined ? [] : [`style ${style}`]),
    ...(explode === undefined ? [] : [`explode ${explode}`]),
  ]
  return words.length === 0 ? [] : [`${indent}${words.join(', ')}`]
}

/** Returns the summary and description of a link, which replace those of its target. */
function writtenTexts(written: object): {
  readonly summary?: string
  readonly description?: string
} {
  return 'ref' in written ? (written as Link) : {}
}

function field(name: string, value: Json | undefined): readonly string[] {
  return value === undefined ? [] : [`  ${name} ${JSON.stringify(value)}`]
}
