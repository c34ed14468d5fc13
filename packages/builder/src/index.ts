export { type BuildProgress, type BuildResult, buildSite } from './build-site.ts'
export { builderVersion } from './builder-version.ts'
export { type CheckResult, checkSite } from './check/check-site.ts'
export { openIconLibrary } from './load-icons.ts'
export { type LoadedSite, type LoadResult, loadSite } from './load-site.ts'
export { readFolder } from './read-folder.ts'
export { planRename } from './rename/plan-rename.ts'
export type { SourceTree } from './source-tree.ts'
export {
  SPECIFICATIONS_ARCHIVE,
  type SpecificationFile,
  specificationFiles,
} from './specification-files.ts'
