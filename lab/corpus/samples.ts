/**
 * Generates code samples of real specifications, and checks them with real parsers.
 * `sh -n` parses curl samples, Node parses JavaScript and TypeScript, and Python parses Python.
 *
 *   npm run lab corpus/samples -- [folder of the corpus] [--count 200]
 *
 * The corpus is not part of this repository: a folder with `openapi/`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Script } from 'node:vm'
import {
  frameData,
  listOperations,
  OperationPages,
  parseSpecification,
  printCodeSample,
  SharedParts,
  sampleRequest,
} from '@octavo/openapi'
import { requireCorpus } from '../parts/corpus-folder.ts'

const SPECIFICATIONS = ['github-rest-3.0.json', 'openai-3.1.yaml', 'stripe-2022-11-15-3.0.yaml']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '200' } },
})
const corpus = join(requireCorpus(positionals[0]), 'openapi')
const files = SPECIFICATIONS.map((file) => join(corpus, file)).filter(existsSync)
if (files.length < SPECIFICATIONS.length) {
  console.log(`Not all of ${SPECIFICATIONS.join(', ')} are in ${corpus}.`)
  console.log('Unpack the corpus and name its folder: npm run lab corpus/samples -- <folder>')
  process.exit(2)
}

const requests = files.flatMap((file) => requestsOf(file, Number(values.count)))
const failures = [
  ...requests.flatMap(({ name, request }) => [
    ...failsIn(name, () => new Script(wrap(printCodeSample('javascript', request)))),
    ...failsIn(name, () => new Script(wrap(printCodeSample('node', request)))),
    ...failsIn(name, () => stripTypeScriptTypes(wrap(printCodeSample('typescript', request)))),
  ]),
  ...parseShell(),
  ...parsePython(),
]
for (const failure of failures) console.log(failure)
console.log(
  `${requests.length} operations of ${files.length} specifications, samples in bash, javascript, node, typescript, python: ${failures.length} refused by their parsers`,
)
process.exitCode = failures.length > 0 ? 1 : 0

/** Returns requests for operations that are spread evenly over the document. */
function requestsOf(file: string, count: number) {
  const { specification } = parseSpecification(file, readFileSync(file, 'utf8'))
  if (specification === undefined) throw new Error(`${file} was not read`)
  const options = { pillFields: [] }
  const pages = new OperationPages(specification, options)
  const parts = new SharedParts(specification, options)
  const frame = frameData(specification)
  const operations = listOperations(specification)
  const step = Math.max(1, operations.length / count)
  return Array.from({ length: Math.min(count, operations.length) }, (_, index) => {
    const operation = operations[Math.floor(index * step)]
    if (operation === undefined) throw new Error('no operation')
    const page = pages.page(operation)
    const part = (ref: string) => parts.part(ref)
    const request = sampleRequest({ page, part, frame, parameters: 'all' })
    return { name: `${operation.method} ${operation.path}`, request }
  })
}

/** Wraps a sample that uses `await` and `import`. Only its syntax is checked. */
function wrap(program: string): string {
  return `(async () => {\n${program.replaceAll(/^import .* from .*$/gm, '')}\n})`
}

function failsIn(name: string, parse: () => unknown): readonly string[] {
  try {
    parse()
    return []
  } catch (error) {
    return [`${name}: ${error}`]
  }
}

function parseShell(): readonly string[] {
  return requests.flatMap(({ name, request }) => {
    const input = printCodeSample('bash', request)
    const { status, stderr } = spawnSync('sh', ['-n'], { input, encoding: 'utf8' })
    return status === 0 ? [] : [`${name}: ${stderr}`]
  })
}

function parsePython(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-samples-'))
  const file = join(folder, 'samples.json')
  const samples = requests.map(({ name, request }) => [name, printCodeSample('python', request)])
  writeFileSync(file, JSON.stringify(samples))
  const program = `import ast, json, sys
for name, source in json.load(open(sys.argv[1])):
    try: ast.parse(source)
    except SyntaxError as error: print(name, error)`
  const { stdout, stderr } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => line !== '')
}
