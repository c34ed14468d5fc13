import { hashBytes } from '../source/hash-bytes.ts'

export type Output = { readonly name: string; readonly code: string }

/** As esbuild names a file: what it is, and a hash that depends on where packages are installed. */
const NAME = /^(.+)-[A-Z\d]{8}\.js$/

/**
 * Gives files names by what is in them, so that they are the same wherever they were compiled. Files
 * name one another, in circles too: what counts is the content without those names.
 */
export function nameByContent(outputs: readonly Output[]): readonly Output[] {
  const stems = new Map(outputs.map(({ name }) => [name, NAME.exec(name)?.[1] ?? name]))
  const replace = (code: string, names: ReadonlyMap<string, string>) =>
    code.replaceAll(/[\w.-]+-[A-Z\d]{8}\.js/g, (name) => names.get(name) ?? name)
  const hashed = outputs
    .map(({ name, code }) => ({ name, hash: hashBytes(replace(code, stems)).slice(0, 8) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { name, hash } of hashed) {
    const stem = stems.get(name) ?? name
    let wanted = `${stem}-${hash}.js`
    // Files that differ only in what they import.
    for (let count = 2; taken.has(wanted); count += 1) wanted = `${stem}-${hash}-${count}.js`
    taken.add(wanted)
    names.set(name, NAME.test(name) ? wanted : name)
  }
  return outputs.map(({ name, code }) => ({
    name: names.get(name) ?? name,
    code: replace(code, names),
  }))
}
