/** Exports for the playground in a reader's browser, without the specification parser. */
export { findLanguage, type LanguageId } from './code-samples/languages.ts'
export { printCodeSample } from './code-samples/print-code-sample.ts'
export { printQuery } from './code-samples/print-query.ts'
export type { Pair, SampleBody, SamplePart, SampleRequest } from './code-samples/sample-request.ts'
export type { Json } from './document/spec-document.ts'
export { formFields } from './pages/form-fields.ts'
export { type MergedSchema, mergeSchema } from './pages/merge-schema.ts'
export { type PageContext, sampleOf, securityOf, serversOf } from './pages/page-context.ts'
export type {
  BodyData,
  ExampleData,
  FlowData,
  MediaData,
  OperationPage,
  ParameterData,
  SchemaData,
  SecurityAlternative,
  SecuritySchemeData,
  ServerData,
  SharedPart,
  SpecificationFrame,
} from './pages/page-data.ts'
