/**
 * What pages show, as plain data that can be stored as JSON. A reference stays a link: `ref` names a
 * part of the same specification, and all such parts are written once, beside the pages. So the data
 * of all pages together grows with the specification and with nothing else, however its schemas
 * refer to each other.
 *
 * Names that the author chose (properties, headers, schemes) stand in lists, never as keys of an
 * object: order is kept, and `constructor` is a name like any other.
 */
import type { Json } from '../document/spec-document.ts'

/** `#/components/responses/NotFound`: a key of the shared parts. From 3.1 on it may have texts of its own. */
export type Link = {
  readonly ref: string
  readonly summary?: string
  readonly description?: string
}

export type SchemaData = {
  /** The other fields stand beside the reference and count as well (3.1). */
  readonly ref?: string
  /** `$dynamicRef` as it is written: what it means depends on who refers to the schema. */
  readonly dynamicRef?: string
  readonly title?: string
  readonly description?: string
  /** None: any type. `null` is one of them. */
  readonly types?: readonly string[]
  /** Null as well, where the types come from another part of `allOf`. */
  readonly nullable?: true
  readonly format?: string
  /** The schema `false`: no value fits. */
  readonly never?: true
  readonly enum?: readonly Json[]
  readonly const?: { readonly value: Json }
  readonly default?: { readonly value: Json }
  readonly examples?: readonly Json[]
  /** `x-default`: fills the field of the playground, and is not the default. */
  readonly prefill?: { readonly value: Json }
  /** Bounds and the like, keyword and value, in the order of the document. */
  readonly rules?: readonly (readonly [keyword: string, value: Json])[]
  readonly readOnly?: true
  readonly writeOnly?: true
  readonly deprecated?: true
  readonly properties?: readonly PropertyData[]
  /** Required names that are not among the properties here, but come from a part of `allOf`. */
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
  /** Conditions and the like that are shown by their keyword: `if`, `contains`, … */
  readonly others?: readonly (readonly [keyword: string, schema: SchemaData])[]
  /** `x-svc.pre`: pills before the name. */
  readonly pre?: readonly string[]
  /** Pills after the name: values of the fields that `api.params.post` names. */
  readonly fieldPills?: readonly string[]
  /** `x-svc.post`: pills behind those. */
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
  /** A parameter whose value is a document of its own. */
  readonly content?: readonly MediaData[]
  readonly examples?: readonly ExampleData[]
  /** Made from the schema, where the author gives no example. A linked schema has its own. */
  readonly sample?: { readonly value: Json }
}

export type HeaderData = Omit<ParameterData, 'in'>

export type MediaData = {
  readonly type: string
  readonly schema?: SchemaData
  readonly examples?: readonly ExampleData[]
  /** Made from the schema, where the author gives no example. */
  readonly sample?: { readonly value: Json }
  /** How parts of a form are written. */
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

/** What a response leads to: another operation, by its id or its pointer. */
export type LinkData = {
  readonly name: string
  readonly operation?: string
  readonly description?: string
}

export type StatusData = { readonly status: string; readonly response: ResponseData | Link }

/** A callback: its name, then the expression for the target, then the method. */
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

/** One way to be let in: all of its schemes together. */
export type SecurityAlternative = readonly {
  readonly scheme: string
  readonly scopes?: readonly string[]
}[]

export type SecuritySchemeData = {
  readonly name: string
  readonly type: string
  readonly description?: string
  /** Of an `apiKey`: where it goes, and under which name. */
  readonly in?: string
  readonly key?: string
  /** Of `http`: `bearer`, `basic`, … */
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

/** What all pages of a specification share. */
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
  /** The whole summary, where the title is only a part of it and the description another text. */
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
  /** Its own; without any, those of the frame. */
  readonly servers?: readonly ServerData[]
  /** Its own, empty for none; without it, that of the frame, but for webhooks. */
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
      /** A value that fits, where pages show one; as a request only where that differs. */
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
