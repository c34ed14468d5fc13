import { hashBytes } from '../source/hash-bytes.ts'

export type Output = { readonly name: string; readonly code: string }

/**
 * Matches the file names that esbuild creates: a stem, and a hash that depends on where packages
 * are installed.
 */
const NAME = /^(.+)-[A-Z\d]{8}\.js$/

/**
 * Names files by their content and by that of everything they load, so that a name never refers to
 * different content and is the same on every machine. Files may refer to one another in circles, so
 * their names are not included in the hash.
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
    // Two files may have the same hash because they differ only in the names that they import.
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

/** Returns a file and all files that it loads, directly or indirectly. */
function loadedBy(
  name: string,
  references: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set([name])
  // A set's iterator also visits entries that are added during the iteration.
  for (const one of found) for (const named of references.get(one) ?? []) found.add(named)
  return found
}
