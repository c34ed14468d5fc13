/**
 * The settings and environment of all Git processes of the service. Git does not read the system
 * and user configuration, only our code writes the configuration of cached clones, and settings
 * that could run a program are off.
 */

const SETTINGS: readonly string[] = [
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.alternateRefsCommand=',
  // Git streams files above this size instead of reading them into memory.
  'core.bigFileThreshold=16m',
  // An empty value removes all helpers that were configured before.
  'credential.helper=',
  'fetch.recurseSubmodules=false',
  // Stores all received objects in one pack file, whose size is easy to watch.
  'fetch.unpackLimit=1',
  'transfer.unpackLimit=1',
  'transfer.credentialsInUrl=die',
  'gc.auto=0',
  'maintenance.auto=false',
  // Hosts redirect to the URL that ends in .git; the proxy does not let Git reach another host.
  'http.followRedirects=initial',
  'log.showSignature=false',
  'pack.threads=1',
  'protocol.version=2',
  'submodule.recurse=false',
]

export function gitArgs(args: readonly string[], settings: readonly string[] = []): string[] {
  const all = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
  return ['--no-pager', ...all, ...args]
}

export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  HOME: '/nonexistent',
  // explain-failure.ts parses the English messages.
  LC_ALL: 'C',
}
