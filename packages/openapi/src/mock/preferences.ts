/** What a request prefers (RFC 7240): the status and the example of the response. */
export type Preferences = {
  readonly code: string | undefined
  readonly example: string | undefined
}

/** Reads `Prefer: code=404, example=missing`. Other preferences are ignored. */
export function readPreferences(header: string | undefined): Preferences {
  const values = new Map<string, string>()
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(
    /(?:^|[,;])\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]*))/g,
  )) {
    values.set(name.toLowerCase(), quoted ?? plain ?? '')
  }
  return { code: values.get('code'), example: values.get('example') }
}
