export { isHosted } from './config/api.ts'
export { isInternalLink } from './config/values.ts'
export {
  type Access,
  type AccessLabel,
  type AccessRange,
  accessKey,
  accessOfAll,
  accessOfAny,
  grantsAccess,
  groupsLabel,
  implies,
  isLabel,
  labelsOf,
  mayRead,
  type Reader,
} from './deployment/access.ts'
export { agentLinks } from './deployment/agent-links.ts'
export { CHUNKS, ChunkCutter } from './deployment/chunk-cutter.ts'
export {
  contentPolicy,
  HASHED_PATHS,
  INERT_POLICY,
  type PolicyInput,
  SCRIPT_ORIGINS_MAX,
} from './deployment/content-policy.ts'
export { DELTA_LIMITS, type DeltaPart, parseDelta, printDelta } from './deployment/delta.ts'
export {
  ASSISTANT_FILE_PATH,
  DOCS_SETTINGS_PATH,
  HOST_SCRIPT_PATH,
  PLAIN_HOST_SCRIPT,
  QUESTIONS_FILE,
  QUESTIONS_PATH,
} from './deployment/host-script.ts'
export {
  type LanguageStart,
  labelId,
  MANIFEST_LIMITS,
  type ManifestEntry,
  type ManifestFacts,
  type ManifestRoot,
  type ManifestRun,
  runIndexOf,
  type SearchRootPlace,
  type SiteBrand,
} from './deployment/manifest.ts'
export { mediaType } from './deployment/media-type.ts'
export { type ByteSpan, omitRanges, omittedSpans, removeSpans } from './deployment/omit-ranges.ts'
export {
  type PageProof,
  PROOF_FOLDER,
  type ProvenSample,
  passedByPage,
  SAMPLE_HASH_LENGTH,
} from './deployment/page-proof.ts'
export { parseManifestRoot, parseManifestRun } from './deployment/parse-manifest.ts'
export { printManifest } from './deployment/print-manifest.ts'
export {
  type CodeFeedback,
  EVENT_LIMITS,
  EVENTS_PATH,
  type PageFeedback,
  PLAYGROUND_OUTCOMES,
  type PlaygroundOutcome,
  type SiteEvent,
} from './deployment/site-event.ts'
export {
  type Diagnostic,
  DiagnosticList,
  type DiagnosticText,
  diagnose,
  type Fix,
  formatDiagnostic,
  formatPlace,
  moreOccurrences,
  type Place,
  type Report,
  withSeverity,
} from './diagnostics/diagnostic.ts'
export {
  type CodeSeverity,
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
  type Severity,
} from './diagnostics/diagnostic-codes.ts'
export { formatCount, LIMITS } from './diagnostics/limits.ts'
export { FAIL_ON, type FailOn, stopsDeployment } from './diagnostics/stops-deployment.ts'
export { docsJsonSchema } from './docs-schema.ts'
export { EMPTY_FRONTMATTER, type Frontmatter } from './frontmatter/frontmatter-fields.ts'
export {
  findBodyStart,
  type ParsedFrontmatter,
  parseFrontmatter,
  readMetadata,
} from './frontmatter/parse-frontmatter.ts'
export { type FixedText, fixText } from './json/fix-text.ts'
export {
  type JsonNode,
  type JsonObject,
  type JsonString,
  placeOf,
  placeOfMember,
  toValue,
} from './json/json-node.ts'
export { parseJson } from './json/parse-json.ts'
export { type ParsedYaml, parseYaml } from './json/parse-yaml.ts'
export type { ReadPart } from './json/resolve-parts.ts'
export { SourceText } from './json/source-text.ts'
export { parseYamlEvents, type YamlEvents } from './json/yaml-events.ts'
export { type MigratedConfig, migrateConfig } from './mint-json/migrate-config.ts'
export { CHILD_KINDS } from './navigation/child-kind.ts'
export type { OverlayUse, SpecificationOverlays } from './navigation/find-overlays.ts'
export { pathOfHref } from './navigation/generated-paths.ts'
export {
  LANGUAGE_ALIASES,
  LANGUAGE_CODES,
  type LanguageCode,
  languageDirection,
  languageTag,
  parseLanguage,
} from './navigation/languages.ts'
export type {
  NavDivision,
  NavGroup,
  Navigation,
  NavLink,
  NavNode,
  NavOperation,
  NavPage,
} from './navigation/navigation.ts'
export { navigationJson } from './navigation/navigation-json.ts'
export type { PageBacking } from './navigation/page-backing.ts'
export {
  breadcrumbs,
  divisionsOf,
  firstPage,
  homePage,
  isSearchablePage,
  pageNeighbors,
  versionOf,
} from './navigation/page-context.ts'
export { pageLabel } from './navigation/page-label.ts'
export { printOperation } from './navigation/parse-operation-text.ts'
export { type Paint, printNavigation } from './navigation/print-navigation.ts'
export { type ResolvedNavigation, resolveNavigation } from './navigation/resolve-navigation.ts'
export {
  type FindOperations,
  type KnownPage,
  NO_SPECIFICATIONS,
  type OperationListing,
  type PageIndex,
} from './navigation/site-facts.ts'
export { normalizeSource } from './navigation/specification-finder.ts'
export { type SwitchTarget, SwitchTargets } from './navigation/switch-targets.ts'
export type { SpecificationUse, WrittenChild, WrittenNavigation } from './navigation/written.ts'
export {
  CONFIG_DEFAULTS,
  type Config,
  type ParsedConfig,
  parseConfig,
} from './parse-config.ts'
export { checkRedirects, type WrittenRedirect } from './routes/check-redirects.ts'
export { checkRoutes } from './routes/check-routes.ts'
export { distinctNames } from './routes/distinct-names.ts'
export { operationSlug } from './routes/operation-slug.ts'
export {
  folderOfIndex,
  pagePathOfUrl,
  pageUrl,
  parsePagePath,
  titleFromPath,
} from './routes/page-path.ts'
export {
  asPath,
  isExternalDestination,
  isReservedSource,
  normalizeRedirectPath,
  type Redirect,
  RedirectTable,
} from './routes/redirects.ts'
export { retiredPages } from './routes/retired-pages.ts'
export { slug } from './routes/slug.ts'
export { correctValue } from './schema/schema.ts'
export { cleanText } from './text/clean-text.ts'
export { replaceCode, stripCodeMarks } from './text/inline-code.ts'
export { joinPath } from './text/join-path.ts'
export { correctionOf, didYouMean, isTypoOf, nearest } from './text/nearest.ts'
export { printable } from './text/printable.ts'
export {
  isDangerousUrl,
  isInlineImage,
  schemeOf,
  withoutSkippedCharacters,
} from './text/safe-url.ts'
export { applyEdits, type Edit } from './text/text-edits.ts'
export { VERSION } from './version.ts'
