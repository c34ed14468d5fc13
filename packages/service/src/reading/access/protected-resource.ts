/**
 * The metadata for agents of a site whose readers have accounts at an OpenID provider (RFC 9728).
 */
import { MCP_PATH } from '../site-paths.ts'

export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Returns the URL that tokens are issued for, and the URL of its metadata. */
export function protectedResource(origin: string, basePath: string) {
  const path = basePath + MCP_PATH
  return {
    resource: new URL(origin + path).href,
    metadata: new URL(origin + METADATA_PATH + path).href,
  }
}

/**
 * Accepts the path below the base path, at the host's root, and there followed by the resource's
 * path.
 */
export function isMetadataPath(pathname: string, basePath: string): boolean {
  const paths = [METADATA_PATH, basePath + METADATA_PATH, METADATA_PATH + basePath + MCP_PATH]
  return paths.includes(pathname)
}
