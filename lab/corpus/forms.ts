/**
 * Compares operations of Swagger 2.0 and of divided specifications with those that others find.
 * The others are the collection's counter and the bundler of Redocly, which is independent of ours.
 *
 *   npm run lab corpus/forms -- [folder with manifest.json]
 *
 * The collection is not part of this repository. Its counter does not follow references to paths, so
 * it finds no operation in some documents. A difference is printed with the operations that only one
 * of the two has.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOperations, parseSpecification } from '@octavo/openapi'
import { bundle, createConfig } from '@redocly/openapi-core'
import { requireCorpus } from '../parts/corpus-folder.ts'

type Manifest = {
  readonly multifile: readonly { readonly root: string; readonly operations: number }[]
  readonly swagger2: readonly { readonly file: string; readonly operations: number }[]
}

const METHODS = new Set('get put post delete options head patch trace'.split(' '))

const folder = requireCorpus(process.argv[2])
const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
const config = await createConfig({})

for (const [name, files] of [
  ['several files', manifest.multifile.map(({ root, operations }) => ({ path: root, operations }))],
  ['Swagger 2.0', manifest.swagger2.map(({ file, operations }) => ({ path: file, operations }))],
] as const) {
  let [counted, bundled, unread, ms] = [0, 0, 0, 0]
  for (const { path, operations } of files) {
    const start = performance.now()
    const ours = ownOperations(path)
    ms += performance.now() - start
    const others = await bundledOperations(path)
    if (ours.size === operations) counted += 1
    if (others === undefined) unread += 1
    else if (ours.symmetricDifference(others).size === 0) bundled += 1
    else
      console.log(
        `${path}: only ours ${list(ours.difference(others))}; only Redocly ${list(others.difference(ours))}`,
      )
  }
  console.log(
    `${name}: of ${files.length}, ${counted} as counted by the collection; ${bundled} as found by Redocly, which cannot read ${unread}; ours ${(ms / 1_000).toFixed(1)} s`,
  )
}

function ownOperations(path: string): Set<string> {
  // The first two names are the kind of the collection and the repository.
  const depth = path.startsWith('multifile/') ? 2 : 1
  const names = path.split('/')
  const root = join(folder, ...names.slice(0, depth))
  const read = (file: string) => {
    const full = join(root, file)
    return existsSync(full) ? readFileSync(full, 'utf8') : undefined
  }
  const file = names.slice(depth).join('/')
  const { specification } = parseSpecification(file, read(file) ?? '', { read })
  const operations = specification === undefined ? [] : listOperations(specification)
  return new Set(
    operations.map(({ method, path: address }) => `${method.toLowerCase()} ${address}`),
  )
}

async function bundledOperations(path: string): Promise<Set<string> | undefined> {
  try {
    const { bundle: document } = await bundle({ ref: join(folder, path), config })
    const { paths = {} } = document.parsed as { readonly paths?: Readonly<Record<string, object>> }
    return new Set(
      Object.entries(paths).flatMap(([address, item]) =>
        Object.keys(item).flatMap((key) => (METHODS.has(key) ? [`${key} ${address}`] : [])),
      ),
    )
  } catch {
    return undefined
  }
}

function list(operations: ReadonlySet<string>): string {
  const [first, ...more] = operations
  return first === undefined ? 'none' : `${first} and ${more.length} more`
}
