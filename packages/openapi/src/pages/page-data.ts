/**
 * The content of pages as plain data, which can be stored as JSON. References remain links: `ref`
 * names a part of the same specification. All such parts are stored once, next to the pages. So the
 * data of all pages grows only with the size of the specification, no matter how often its schemas
 * refer to each other.
 *
 * Names that the author chose (properties, headers, schemes) are in lists and never keys of an
 * object. This preserves their order, and `constructor` is a name like any other.
 */
import type { Json } from '../document/spec-document.ts'

/**
 * A link to a shared part, such as `#/components/responses/NotFound`. In OpenAPI 3.1, a link may
 * have its own summary and description.
 */
export type Link = {
  readonly ref: string
  readonly summary?: string
  readonly description?: string
}

export type SchemaData = {
  /** A link to another schema. In OpenAPI 3.1, the fields next to the link apply too. */
  readonly ref?: string
  /** The `$dynamicRef` as written. Its target depends on the schema that refers to it. */
  readonly dynamicRef?: string
  readonly title?: string
  readonly description?: string
  /** The allowed types, which may include `null`; undefined if any type is allowed. */
  readonly types?: readonly string[]
  /** Whether null is also allowed. Only used if the types are in another part of `allOf`. */
  readonly nullable?: true
  readonly format?: string
  /** Set for the schema `false`, which no value matches. */
  readonly never?: true
  readonly enum?: readonly Json[]
  readonly const?: { readonly value: Json }
  readonly default?: { readonly value: Json }
  readonly examples?: readonly Json[]
  /**
   * The value of `x-default`, which pre-fills the field in the playground. It is not the default
   * value.
   */
  readonly prefill?: { readonly value: Json }
  /** Limits such as `minimum` with their values, in document order. */
  readonly rules?: readonly (readonly [keyword: string, value: Json])[]
  readonly readOnly?: true
  readonly writeOnly?: true
  readonly deprecated?: true
  readonly properties?: readonly PropertyData[]
  /** Names of required properties that other parts of `allOf` define. */
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
  /** Schemas of other keywords, such as `if` and `contains`, which are shown with the keyword. */
  readonly others?: readonly (readonly [keyword: string, schema: SchemaData])[]
  /** `x-svc.pre`: pills before the name of a field. */
  readonly pre?: readonly string[]
  /** The values of the fields in `api.params.post`: pills after the name of a field. */
  readonly fieldPills?: readonly string[]
  /** `x-svc.post`: pills after `fieldPills`. */
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
  /** The media types of a parameter whose value is a document, such as JSON. */
  readonly content?: readonly MediaData[]
  readonly examples?: readonly ExampleData[]
  /** A sample value from the schema, if there is no example. A linked schema has its own sample. */
  readonly sample?: { readonly value: Json }
}

export type HeaderData = Omit<ParameterData, 'in'>

export type MediaData = {
  readonly type: string
  readonly schema?: SchemaData
  readonly examples?: readonly ExampleData[]
  /** A sample value from the schema, if there is no example. */
  readonly sample?: { readonly value: Json }
  /** How the parts of a form are encoded. */
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

/** A link from a response to an operation, by operationId or pointer. */
export type LinkData = {
  readonly name: string
  readonly operation?: string
  readonly description?: string
}

export type StatusData = { readonly status: string; readonly response: ResponseData | Link }

/** A callback with its name, the expression for its URL, and its method. */
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

/** One of several ways to authenticate. It requires all of its schemes together. */
export type SecurityAlternative = readonly {
  readonly scheme: string
  readonly scopes?: readonly string[]
}[]

export type SecuritySchemeData = {
  readonly name: string
  readonly type: string
  readonly description?: string
  /** The location and the name of an API key (type `apiKey`). */
  readonly in?: string
  readonly key?: string
  /** The scheme of type `http`, such as `bearer` or `basic`. */
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
  /** The path of an operation, or the name of a webhook. */
  readonly path: string
  readonly title: string
  /** The whole summary, if the page shows it neither as the title nor as the description. */
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: true
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly docs?: DocsLink
  /** `x-svc.metadata`: the frontmatter of the generated page. */
  readonly metadata?: Json
  /** `x-svc.content`: MDX that is shown between the operation's address and its fields. */
  readonly content?: string
  /** The servers of the operation; undefined to use those in `SpecificationFrame`. */
  readonly servers?: readonly ServerData[]
  /**
   * The operation's security alternatives. Undefined to use those in `SpecificationFrame`, or none
   * for a webhook.
   */
  readonly security?: readonly SecurityAlternative[]
  readonly parameters?: readonly (ParameterData | (Link & { readonly in: string }))[]
  readonly body?: BodyData | Link
  readonly callbacks?: readonly (CallbackData | (Link & { readonly name: string }))[]
  readonly responses: readonly StatusData[]
  /** `x-codeSamples`. */
  readonly samples?: readonly CodeSampleData[]
}

/** A part of the specification that pages link to. */
export type SharedPart =
  | {
      readonly ref: string
      readonly kind: 'schema'
      readonly schema: SchemaData
      /** The sample value, if a page shows it. `requestSample` is only set if it is different. */
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
