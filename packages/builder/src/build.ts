/**
 * Exports what a command needs until it knows that a site has to be built. Importing the index
 * instead loads the whole builder, which takes longer than a build without changes.
 */
export { builderVersion } from './cache/builder-version.ts'
export { BASELINE_FILE } from './check/baseline.ts'
export { copyFetcher, networkFetcher } from './load/fetchers.ts'
export { type BuiltFiles, BuiltFilesError, openBuiltFiles } from './output/built-files.ts'
export { buildSite } from './pipeline/build-site.ts'
export { readGitFiles } from './source/git-files.ts'
export { readFolder } from './source/read-folder.ts'
