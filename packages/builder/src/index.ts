export { builderVersion } from './cache/builder-version.ts'
export { BASELINE_FILE } from './check/baseline.ts'
export { BackgroundBuild } from './dev/background-build.ts'
export { type DevPage, DevSite, type PageProblems } from './dev/dev-site.ts'
export type { FoundOutput } from './dev/site-state.ts'
export { watchFolder } from './dev/watch-folder.ts'
export { copyFetcher, networkFetcher, type SendOutbound } from './load/fetch-specifications.ts'
export { describeOutcome, formatDate, notASpecification } from './load/hosted-diagnostics.ts'
export { openIconLibrary } from './load/load-icons.ts'
export { type LoadedSite, type LoadResult, loadSite } from './load/load-site.ts'
export { openSite } from './load/open-site.ts'
export type { SpecificationFetcher, SpecificationOutcome } from './load/specification-fetcher.ts'
export { type BuiltFiles, BuiltFilesError, openBuiltFiles } from './output/built-files.ts'
export { type TypefaceFiles, typefaceFiles } from './output/font-files.ts'
export type { HeaderRule } from './output/headers.ts'
export { OutputFolder } from './output/output-folder.ts'
export {
  type BuildProgress,
  type BuildResult,
  buildSite,
  buildTree,
} from './pipeline/build-site.ts'
export { type CheckResult, checkSite } from './pipeline/check-site.ts'
export {
  SPECIFICATIONS_ARCHIVE,
  type SpecificationFile,
  specificationFiles,
} from './plan/specification-files.ts'
export { planRename } from './rename/plan-rename.ts'
export { loadDevClient } from './scripts/dev-client.ts'
export { type HostScripts, loadHostScripts } from './scripts/host-scripts.ts'
export { describeRepository } from './source/git-repository.ts'
export { readFolder } from './source/read-folder.ts'
export type { SourceTree } from './source/source-tree.ts'
