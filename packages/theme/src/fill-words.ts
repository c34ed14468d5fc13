/** A word of the interface with values where it names them: `Line {line}`. */
export function fillWords(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}
