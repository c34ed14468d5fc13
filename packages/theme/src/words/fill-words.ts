const PLACE = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g

/**
 * Replaces placeholders in an interface text such as `Line {line}`. A word that depends on a number
 * has two forms, first the singular: `{count} {count|item|items}`.
 */
export function fillWords(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(PLACE, (all, name: string, one?: string, other?: string) => {
    const value = values[name]
    if (value === undefined) return all
    return (String(value) === '1' ? one : other) ?? String(value)
  })
}
