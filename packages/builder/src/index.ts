export { loadDevClient } from './browser/dev-client.ts'
export { type BuildProgress, type BuildResult, buildSite } from './build-site.ts'
export { builderVersion } from './builder-version.ts'
export { type CheckResult, checkSite } from './check/check-site.ts'
export { BuildBehind } from './dev/build-behind.ts'
export { type DevPage, DevSite } from './dev/dev-site.ts'
export type { FoundOutput } from './dev/site-state.ts'
export { watchFolder } from './dev/watch-folder.ts'
export { openIconLibrary } from './load-icons.ts'
export { type LoadedSite, type LoadResult, loadSite } from './load-site.ts'
export type { HeaderRule } from './outputs/headers.ts'
export { PlaygroundProxy, PROXY_LIMITS, type ProxyOptions } from './proxy/playground-proxy.ts'
export { type ProxyTicket, signTicket } from './proxy/proxy-ticket.ts'
export { readFolder } from './read-folder.ts'
export { planRename } from './rename/plan-rename.ts'
export type { SourceTree } from './source-tree.ts'
export {
  SPECIFICATIONS_ARCHIVE,
  type SpecificationFile,
  specificationFiles,
} from './specification-files.ts'
