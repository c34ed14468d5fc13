export { type BuildProgress, type BuildResult, buildSite } from './build-site.ts'
export { builderVersion } from './builder-version.ts'
export { openIconLibrary } from './load-icons.ts'
export { type LoadedSite, type LoadResult, loadSite } from './load-site.ts'
export { PlaygroundProxy, PROXY_LIMITS, type ProxyOptions } from './proxy/playground-proxy.ts'
export { type ProxyTicket, signTicket } from './proxy/proxy-ticket.ts'
export { readFolder } from './read-folder.ts'
export type { SourceTree } from './source-tree.ts'
export {
  SPECIFICATIONS_ARCHIVE,
  type SpecificationFile,
  specificationFiles,
} from './specification-files.ts'
