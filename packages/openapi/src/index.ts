export { BodyChecker, type BodyExample } from './check/check-body-example.ts'
export { checkTags } from './check/check-tags.ts'
export {
  findLanguage,
  LANGUAGES,
  type Language,
  type LanguageId,
} from './code-samples/languages.ts'
export { printCodeSample } from './code-samples/print-code-sample.ts'
export type { SampleRequest } from './code-samples/sample-request.ts'
export {
  compareVersions,
  folderVersion,
  SPECIFICATION_FILE,
  type SpecificationChanges,
  type SpecificationVersion,
} from './compare-versions.ts'
export type { ApiChange } from './differences/api-change.ts'
export { CHANGE_LEVELS, CHANGE_RULES, type ChangeLevel } from './differences/change-rules.ts'
export { compareSpecifications } from './differences/compare-specifications.ts'
export { OPENAPI_LIMITS } from './document/limits.ts'
export { parseDocument } from './document/parse-document.ts'
export { printDocument } from './document/print-document.ts'
export type { Json } from './document/spec-document.ts'
export type { ReadFile } from './linking/linked-files.ts'
export { MockApi, refuse, unknownPath } from './mock/mock-api.ts'
export { MOCK_LIMITS } from './mock/mock-limits.ts'
export type {
  FormField,
  MockProblem,
  MockProblemCode,
  MockRequest,
  MockResponse,
} from './mock/mock-messages.ts'
export { listedMethod, listOperations, type Operation } from './operations/list-operations.ts'
export { operationListings } from './operations/operation-listings.ts'
export { isOverlay } from './overlays/read-overlay.ts'
export { frameData } from './pages/frame-data.ts'
export { linkedSchemas } from './pages/linked-schemas.ts'
export { type MergedSchema, mergeSchema, pillsOf } from './pages/merge-schema.ts'
export { OperationPages } from './pages/operation-page.ts'
export { type PageContext, sampleOf, securityOf, serversOf } from './pages/page-context.ts'
export type {
  BodyData,
  CallbackData,
  CodeSampleData,
  DiscriminatorData,
  EncodingData,
  ExampleData,
  HeaderData,
  Link,
  MediaData,
  OperationPage,
  ParameterData,
  PropertyData,
  ResponseData,
  SchemaData,
  SecurityAlternative,
  SecuritySchemeData,
  ServerData,
  SharedPart,
  SpecificationFrame,
  StatusData,
} from './pages/page-data.ts'
export { printPage, printSchemaPage } from './pages/print-page.ts'
export {
  type RequestSample,
  requestSamples,
  type SampleSettings,
} from './pages/request-samples.ts'
export {
  type RequestSource,
  type SampledParameters,
  sampleRequest,
} from './pages/sample-request.ts'
export { type SampleVariants, sampleVariants } from './pages/sample-variants.ts'
export type { SchemaOptions } from './pages/schema-data.ts'
export {
  type Scraped,
  type ScrapedPage,
  scrapedNavigation,
  scrapePages,
} from './pages/scraped-pages.ts'
export { SharedParts, schemaNames, schemaPointer } from './pages/shared-parts.ts'
export { TextPlaces, type ToFileOffset } from './pages/text-places.ts'
export { type ParsedSpecification, parseSpecification } from './parse-specification.ts'
export type { RecordedPart, RecordedRequest, SampleProblem } from './proof/recorded-request.ts'
export { type JudgedSample, judgeSample } from './proof/sample-judge.ts'
export { ServerUrls } from './proof/server-urls.ts'
export type { Specification } from './specification.ts'
