export { type BuildProgress, type BuildResult, buildSite } from './build-site.ts'
export { builderVersion } from './builder-version.ts'
export {
  type CompiledIslands,
  compileIslands,
  type IslandModule,
} from './islands/compile-islands.ts'
export { islandModuleUrl } from './islands/island-address.ts'
export { type IslandAsset, type IslandAssets, islandAssets } from './islands/island-assets.ts'
export { type LoadedSite, type LoadResult, loadSite } from './load-site.ts'
export { readFolder } from './read-folder.ts'
export type { SourceTree } from './source-tree.ts'
export {
  SPECIFICATIONS_ARCHIVE,
  type SpecificationFile,
  specificationFiles,
} from './specification-files.ts'
