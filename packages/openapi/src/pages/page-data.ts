/**
 * The content of pages as plain data that can be stored as JSON. A reference remains a link: `ref`
 * names a part of the same specification, and all such parts are written once, next to the pages.
 * So the data of all pages grows only with the specification, however its schemas refer to each
 * other.
 *
 * Names that the author chose (properties, headers, schemes) are in lists, never keys of an object:
 * the order is kept, and `constructor` is an ordinary name.
 */
import type { Json } from '../document/spec-document.ts'

/** `#/components/responses/NotFound`: a key of the shared parts; in 3.1 with optional texts. */
export type Link = {
  readonly ref: string
  readonly summary?: string
  readonly description?: string
}

export type SchemaData = {
  /** The other fields are next to the reference and count too (3.1). */
  readonly ref?: string
  /** `$dynamicRef` as written: its meaning depends on the schema that refers to it. */
  readonly dynamicRef?: string
  readonly title?: string
  readonly description?: string
  /** Undefined for any type. `null` is a type. */
  readonly types?: readonly string[]
  /** Null is allowed too, if the types come from another part of `allOf`. */
  readonly nullable?: true
  readonly format?: string
  /** The schema `false`: no value matches. */
  readonly never?: true
  readonly enum?: readonly Json[]
  readonly const?: { readonly value: Json }
  readonly default?: { readonly value: Json }
  readonly examples?: readonly Json[]
  /** `x-default`: pre-fills the playground's field, and is not the default value. */
  readonly prefill?: { readonly value: Json }
  /** Bounds and similar keywords with their values, in document order. */
  readonly rules?: readonly (readonly [keyword: string, value: Json])[]
  readonly readOnly?: true
  readonly writeOnly?: true
  readonly deprecated?: true
  readonly properties?: readonly PropertyData[]
  /** Required names that are not properties here, but come from a part of `allOf`. */
  readonly required?: readonly string[]
  readonly patternProperties?: readonly (readonly [pattern: string, schema: SchemaData])[]
  readonly additional?: boolean | SchemaData
  readonly items?: SchemaData
  readonly prefixItems?: readonly SchemaData[]
  readonly allOf?: readonly SchemaData[]
  readonly oneOf?: readonly SchemaData[]
  readonly anyOf?: readonly SchemaData[]
  readonly not?: SchemaData
  readonly discriminator?: DiscriminatorData
  /** Conditions and similar keywords that are shown by name: `if`, `contains`, … */
  readonly others?: readonly (readonly [keyword: string, schema: SchemaData])[]
  /** `x-svc.pre`: pills before the name. */
  readonly pre?: readonly string[]
  /** Pills after the name: values of the fields in `api.params.post`. */
  readonly fieldPills?: readonly string[]
  /** `x-svc.post`: pills after those. */
  readonly post?: readonly string[]
  readonly docs?: DocsLink
}

export type PropertyData = {
  readonly name: string
  readonly required?: true
  readonly schema: SchemaData
}

export type DiscriminatorData = {
  readonly property: string
  readonly mapping?: readonly (readonly [value: string, ref: string])[]
}

export type DocsLink = { readonly url: string; readonly description?: string }

export type ParameterData = {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: true
  readonly deprecated?: true
  readonly style?: string
  readonly explode?: boolean
  readonly schema?: SchemaData
  /** For a parameter whose value is a document of its own. */
  readonly content?: readonly MediaData[]
  readonly examples?: readonly ExampleData[]
  /** Generated from the schema if there is no example. A linked schema has its own. */
  readonly sample?: { readonly value: Json }
}

export type HeaderData = Omit<ParameterData, 'in'>

export type MediaData = {
  readonly type: string
  readonly schema?: SchemaData
  readonly examples?: readonly ExampleData[]
  /** Generated from the schema if there is no example. */
  readonly sample?: { readonly value: Json }
  /** The encoding of the parts of a form. */
  readonly encoding?: readonly EncodingData[]
}

export type EncodingData = {
  readonly property: string
  readonly mediaType?: string
  readonly style?: string
}

export type ExampleData =
  | (Link & { readonly name: string })
  | {
      readonly name: string
      readonly summary?: string
      readonly description?: string
      readonly value?: Json
      readonly url?: string
    }

export type BodyData = {
  readonly description?: string
  readonly required?: true
  readonly content: readonly MediaData[]
}

export type ResponseData = {
  readonly description?: string
  readonly headers?: readonly (HeaderData | (Link & { readonly name: string }))[]
  readonly content: readonly MediaData[]
  readonly links?: readonly (LinkData | (Link & { readonly name: string }))[]
}

/** The operation that a response links to, by id or pointer. */
export type LinkData = {
  readonly name: string
  readonly operation?: string
  readonly description?: string
}

export type StatusData = { readonly status: string; readonly response: ResponseData | Link }

/** A callback: its name, the expression for its URL, and the method. */
export type CallbackData = {
  readonly name: string
  readonly expression: string
  readonly method: string
  readonly summary?: string
  readonly description?: string
  readonly body?: BodyData | Link
  readonly responses: readonly StatusData[]
}

export type ServerData = {
  readonly url: string
  readonly description?: string
  readonly variables?: readonly ServerVariable[]
}

export type ServerVariable = {
  readonly name: string
  readonly default: string
  readonly values?: readonly string[]
  readonly description?: string
}

/** One way to authenticate: all of its schemes together. */
export type SecurityAlternative = readonly {
  readonly scheme: string
  readonly scopes?: readonly string[]
}[]

export type SecuritySchemeData = {
  readonly name: string
  readonly type: string
  readonly description?: string
  /** For `apiKey`: its location and its name. */
  readonly in?: string
  readonly key?: string
  /** For `http`: `bearer`, `basic`, … */
  readonly scheme?: string
  readonly bearerFormat?: string
  readonly flows?: readonly FlowData[]
  readonly url?: string
  readonly prefill?: string
}

export type FlowData = {
  readonly kind: string
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
  readonly refreshUrl?: string
  readonly scopes: readonly (readonly [scope: string, description: string])[]
}

export type CodeSampleData = {
  readonly language: string
  readonly label?: string
  readonly source: string
}

/** The data that all pages of a specification share. */
export type SpecificationFrame = {
  readonly title?: string
  readonly version?: string
  readonly description?: string
  readonly servers?: readonly ServerData[]
  readonly security?: readonly SecurityAlternative[]
  readonly schemes: readonly SecuritySchemeData[]
}

export type OperationPage = {
  readonly kind: 'operation' | 'webhook'
  readonly specification: string
  readonly method: string
  /** The path, or the name of the webhook. */
  readonly path: string
  readonly title: string
  /** The whole summary, if the title is only a part of it and the description is different. */
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: true
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly docs?: DocsLink
  /** `x-svc.metadata`: frontmatter of the generated page. */
  readonly metadata?: Json
  /** `x-svc.content`: MDX before the generated part. */
  readonly content?: string
  /** The operation's own servers; undefined to use those of the frame. */
  readonly servers?: readonly ServerData[]
  /** The operation's own; empty for none. Undefined to use the frame's, except for webhooks. */
  readonly security?: readonly SecurityAlternative[]
  readonly parameters?: readonly (ParameterData | (Link & { readonly in: string }))[]
  readonly body?: BodyData | Link
  readonly callbacks?: readonly (CallbackData | (Link & { readonly name: string }))[]
  readonly responses: readonly StatusData[]
  /** `x-codeSamples`. */
  readonly samples?: readonly CodeSampleData[]
}

/** A part that pages link to. */
export type SharedPart =
  | {
      readonly ref: string
      readonly kind: 'schema'
      readonly schema: SchemaData
      /** A sample value, if pages show one; the request sample only if it differs. */
      readonly sample?: { readonly value: Json }
      readonly requestSample?: { readonly value: Json }
    }
  | { readonly ref: string; readonly kind: 'parameter'; readonly parameter: ParameterData }
  | { readonly ref: string; readonly kind: 'response'; readonly response: ResponseData }
  | { readonly ref: string; readonly kind: 'body'; readonly body: BodyData }
  | { readonly ref: string; readonly kind: 'header'; readonly header: HeaderData }
  | { readonly ref: string; readonly kind: 'example'; readonly example: ExampleData }
  | { readonly ref: string; readonly kind: 'link'; readonly link: LinkData }
  | { readonly ref: string; readonly kind: 'callback'; readonly callbacks: readonly CallbackData[] }
