/**
 * Counts operations of Swagger 2.0 and of specifications in several files.
 * Compares the numbers with those of the collection.
 *
 *   npm run lab corpus/forms -- [folder with manifest.json]
 *
 * The collection is not part of this repository. Its counter does not follow references to paths, so
 * some of its numbers are 0; these are listed with ours.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listOperations, parseSpecification } from '@octavo/openapi'
import { requireCorpus } from '../parts/corpus-folder.ts'

type Manifest = {
  readonly multifile: readonly { readonly root: string; readonly operations: number }[]
  readonly swagger2: readonly { readonly file: string; readonly operations: number }[]
}

const folder = requireCorpus(process.argv[2])
const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

for (const [name, files] of [
  ['several files', manifest.multifile.map(({ root, operations }) => ({ path: root, operations }))],
  ['Swagger 2.0', manifest.swagger2.map(({ file, operations }) => ({ path: file, operations }))],
] as const) {
  const start = performance.now()
  const equal = files.filter(({ path, operations }) => {
    const found = countOperations(path)
    if (found !== operations) console.log(`${path}: ${found} operations, counted ${operations}`)
    return found === operations
  })
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  console.log(`${name}: ${equal.length} of ${files.length} equal, ${seconds} s`)
}

function countOperations(path: string): number {
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
  return specification === undefined ? 0 : listOperations(specification).length
}
