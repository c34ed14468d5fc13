/** What agents are told of a site whose readers have accounts at an OpenID provider (RFC 9728). */
import { MCP_PATH } from '../site-paths.ts'

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** The URL that tokens are made for, and where the metadata of it are. */
export function protectedResource(origin: string, basePath: string) {
  const path = basePath + MCP_PATH
  return {
    resource: new URL(origin + path).href,
    metadata: new URL(origin + METADATA_PATH + path).href,
  }
}

/** Below the base path, at the root of the host, and there with the path of the resource behind it. */
export function isMetadataPath(pathname: string, basePath: string): boolean {
  const paths = [METADATA_PATH, basePath + METADATA_PATH, METADATA_PATH + basePath + MCP_PATH]
  return paths.includes(pathname)
}
