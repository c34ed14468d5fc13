/**
 * URLs of the OAuth metadata of a site's MCP server (RFC 9728). Agents use it if the site's readers
 * sign in at an OpenID provider.
 */
import { MCP_PATH } from '../site-paths.ts'

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Returns the URL of the MCP server, for which tokens are issued, and the URL of its metadata. */
export function protectedResource(origin: string, basePath: string) {
  const path = basePath + MCP_PATH
  return {
    resource: new URL(origin + path).href,
    metadata: new URL(origin + METADATA_PATH + path).href,
  }
}

/**
 * Checks whether a path is one of the metadata's paths: below the base path, at the root of the
 * host, or at the root followed by the path of the MCP server.
 */
export function isMetadataPath(pathname: string, basePath: string): boolean {
  const paths = [METADATA_PATH, basePath + METADATA_PATH, METADATA_PATH + basePath + MCP_PATH]
  return paths.includes(pathname)
}
