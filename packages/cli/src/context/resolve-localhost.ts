import dns from 'node:dns'

/**
 * Resolves names below `localhost` to this machine (RFC 6761). Browsers do this, but the system's
 * resolver may not.
 */
export function resolveLocalhost(): void {
  const { lookup } = dns
  const nameOf = (name: string) => (/\.localhost\.?$/i.test(name) ? 'localhost' : name)
  const replaced = (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [nameOf(name), ...rest])
  dns.lookup = replaced as typeof lookup
}
