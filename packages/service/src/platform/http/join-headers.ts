/** Joins the rate limit headers of two limits. Each header is a comma-separated list. */
export function joinHeaders(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const joined = Object.entries(b).map(([name, value]) => [
    name,
    a[name] === undefined ? value : `${a[name]}, ${value}`,
  ])
  return { ...a, ...Object.fromEntries(joined) }
}
