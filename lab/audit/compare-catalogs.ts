/**
 * Compares the schemas of two databases of the service.
 * Compares tables, columns, constraints, indexes, policies, grants, functions, triggers and types.
 *
 *   npm run lab audit/compare-catalogs -- <first url> <second url> [old-name=new-name ...]
 */
import { openDatabase } from '../../packages/service/src/platform/database/database.ts'
import { compareCatalogs, readCatalog } from '../../packages/service/testing/compare-catalogs.ts'

const [firstUrl, secondUrl, ...renames] = process.argv.slice(2)
if (firstUrl === undefined || secondUrl === undefined)
  throw new Error(
    'Usage: npm run lab audit/compare-catalogs -- <url> <url> [old-name=new-name ...]',
  )

const [first, second] = await Promise.all([read(firstUrl), read(secondUrl)])
for (const [kind, count] of first.counts)
  console.log(`${kind.padEnd(10)} ${count} ${second.counts.get(kind)}`)
const lines = compareCatalogs(
  first,
  second,
  Object.fromEntries(renames.map((pair) => pair.split('='))),
)
for (const line of lines) console.log(line)
console.log(lines.length === 0 ? 'The catalogs are the same.' : `${lines.length} differences.`)
process.exitCode = lines.length === 0 ? 0 : 1

async function read(url: string) {
  const database = openDatabase({ url, connections: 1 })
  try {
    return await readCatalog(database)
  } finally {
    await database.end()
  }
}
