import dns from 'node:dns'

/** Names below `localhost` are this machine (RFC 6761). Browsers know that; the resolver of the system may not. */
export function resolveLocalhost(): void {
  const { lookup } = dns
  const nameOf = (name: string) => (/\.localhost\.?$/i.test(name) ? 'localhost' : name)
  const replaced = (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [nameOf(name), ...rest])
  dns.lookup = replaced as typeof lookup
}
