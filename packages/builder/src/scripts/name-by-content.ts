import { hashBytes } from '../source/hash-bytes.ts'

export type Output = { readonly name: string; readonly code: string }

/** As esbuild names a file: what it is, and a hash that depends on where packages are installed. */
const NAME = /^(.+)-[A-Z\d]{8}\.js$/

/**
 * Gives files names by what is in them and in all that they load, so that a name never stands for
 * other content, and is the same wherever they were compiled. Files name one another, in circles too:
 * what counts is the content without those names.
 */
export function nameByContent(outputs: readonly Output[]): readonly Output[] {
  const stems = new Map(outputs.map(({ name }) => [name, NAME.exec(name)?.[1] ?? name]))
  const replace = (code: string, names: ReadonlyMap<string, string>) =>
    code.replaceAll(REFERENCE, (name) => names.get(name) ?? name)
  const contents = new Map(outputs.map(({ name, code }) => [name, hashBytes(replace(code, stems))]))
  const references = new Map(
    outputs.map(({ name, code }) => {
      const named = [...code.matchAll(REFERENCE)].map(([reference]) => reference)
      return [name, named.filter((reference) => stems.has(reference))]
    }),
  )
  const hashed = outputs
    .map(({ name }) => {
      const loaded = [...loadedBy(name, references)].map((one) => contents.get(one) ?? '')
      return { name, hash: hashBytes(contents.get(name) ?? '', ...loaded.toSorted()).slice(0, 8) }
    })
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

const REFERENCE = /[\w.-]+-[A-Z\d]{8}\.js/g

/** The file and all that it names, and so on. */
function loadedBy(
  name: string,
  references: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set([name])
  // A set hands out what is added to it while it is gone through.
  for (const one of found) for (const named of references.get(one) ?? []) found.add(named)
  return found
}
