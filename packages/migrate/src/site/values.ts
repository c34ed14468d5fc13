/** An object from a configuration file or frontmatter. */
export type Values = Readonly<Record<string, unknown>>

export function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Values)
    : {}
}

export function withoutUndefined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
