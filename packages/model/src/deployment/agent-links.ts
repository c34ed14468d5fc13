/** The `Link` header of every page, which lists the site's index files for programs. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  'api-catalog': '/.well-known/api-catalog',
  'agent-skills': '/.well-known/agent-skills/index.json',
}

/**
 * Returns the header. `wellKnown` lists the files in the manifest; `at` prepends the base path to a
 * path.
 */
export function agentLinks(
  wellKnown: readonly string[],
  at: (address: string) => string = (address) => address,
): string {
  const known = wellKnown.flatMap((name) => {
    const address = Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name] : undefined
    return address === undefined ? [] : [[name, address] as const]
  })
  const all = [['llms-txt', '/llms.txt'], ['llms-full-txt', '/llms-full.txt'], ...known] as const
  return all.map(([rel, address]) => `<${at(address)}>; rel="${rel}"`).join(', ')
}
