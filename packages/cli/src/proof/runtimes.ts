/** Finds the programs on this machine that can run samples. */
import { tmpdir } from 'node:os'
import type { LanguageId } from '@octavo/openapi'
import type { ProgramRunner } from './program-runner.ts'

export type Runtime = {
  /** The name with its version, such as `curl 7.88.1`. */
  readonly name: string
  readonly command: string
  /** The arguments before the file. */
  readonly args: readonly string[]
  readonly fileName: string
  readonly env: Readonly<Record<string, string>>
  /** A program that runs many samples in one process; each creates a file `ok` if it succeeds. */
  readonly batch?: readonly string[]
}

/** A runtime, or the reason why the language cannot run. */
export type FoundRuntime = Runtime | string

/** The content of every file that a sample reads. */
export const FILE_CONTENT = 'A file that octavo test wrote.\n'

/** In a browser, a reader selects the file. A generated sample needs no more of the page. */
const PAGE = `globalThis.document = { querySelector: () => ({ files: [new File([${JSON.stringify(FILE_CONTENT)}], 'file')] }) };`
const PAGE_MODULE = `data:text/javascript,${encodeURIComponent(PAGE)}`

const SHELL_BATCH = `for file do (cd "\${file%/*}" && sh "$file" && : > ok); done`
const NODE_BATCH = `${PAGE}
for (const file of process.argv.slice(1)) {
  process.chdir(path.dirname(file))
  try {
    await import(url.pathToFileURL(file))
    fs.writeFileSync('ok', '')
  } catch {}
}
process.exit(0)`
const PYTHON_BATCH = `
import os, sys
for file in sys.argv[1:]:
    os.chdir(os.path.dirname(file))
    try:
        with open(file, encoding="utf-8") as code:
            exec(compile(code.read(), file, "exec"), {"__name__": "__main__"})
        open("ok", "w").close()
    except BaseException:
        pass
`
const PYTHON_PROBE = `
import sys, site
try:
    import requests
    print(sys.executable, site.getuserbase(), sys.version.split()[0], requests.__version__, sep="\\n")
except ImportError:
    print("none")
`
const PROBE_MS_MAX = 20_000

type Probe = { readonly path: string; readonly runner: ProgramRunner }

/** Finds the runtimes of some languages. */
export async function findRuntimes(
  languages: ReadonlySet<LanguageId>,
  probe: Probe,
): Promise<ReadonlyMap<LanguageId, FoundRuntime>> {
  const finders: Partial<Record<LanguageId, () => Promise<FoundRuntime> | FoundRuntime>> = {
    bash: () => findShell(probe),
    python: () => findPython(probe),
    javascript: () => nodeRuntime('main.mjs', ['--import', PAGE_MODULE]),
    node: () => nodeRuntime('main.mjs'),
    typescript: () => nodeRuntime('main.mts'),
    java: () => findJava(probe),
  }
  const found = [...languages].map(async (language) => {
    const find = finders[language] ?? (() => 'Octavo cannot run samples in this language yet')
    return [language, await find()] as const
  })
  return new Map(await Promise.all(found))
}

async function findShell(probe: Probe): Promise<FoundRuntime> {
  const { code, output } = await ask(probe, 'curl', ['--version'])
  if (code !== 0) return '`curl` is not installed'
  const name = output.split(' ').slice(0, 2).join(' ')
  return {
    name,
    command: 'sh',
    args: [],
    fileName: 'main.sh',
    env: {},
    batch: ['-c', SHELL_BATCH, 'sh'],
  }
}

function nodeRuntime(fileName: string, args: readonly string[] = []): Runtime {
  const batch = ['--input-type=commonjs', '-e', commonBatch(NODE_BATCH), '--']
  const name = `node ${process.versions.node}`
  return { name, command: process.execPath, args, fileName, env: {}, batch }
}

/** Wraps a program that needs modules, so that it may use \`await\`. */
function commonBatch(program: string): string {
  const modules = ['fs', 'path', 'url'].map((name) => `const ${name} = require('node:${name}');`)
  return `${modules.join('')}(async () => {${program}})()`
}

async function findPython(probe: Probe): Promise<FoundRuntime> {
  const { code, output } = await ask(probe, 'python3', ['-c', PYTHON_PROBE])
  if (code !== 0) return '`python3` is not installed'
  const [command = '', base = '', version = '', requests] = output.split('\n')
  if (requests === undefined) return '`python3` has no package `requests` (`pip install requests`)'
  const name = `python ${version} with requests ${requests}`
  const env = { PYTHONUSERBASE: base, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' }
  return { name, command, args: [], fileName: 'main.py', env, batch: ['-c', PYTHON_BATCH] }
}

async function findJava(probe: Probe): Promise<FoundRuntime> {
  const { code, output } = await ask(probe, 'javac', ['-version'])
  if (code !== 0) return 'the Java compiler `javac` is not installed'
  const name = `java ${output.replace(/^.*javac\s+/s, '')}`
  return { name, command: 'java', args: [], fileName: 'Main.java', env: {} }
}

/** Runs a command in the caller's search path. */
function ask({ path, runner }: Probe, command: string, args: readonly string[]) {
  const env = { PATH: path }
  return runner.run({ command, args, cwd: tmpdir(), env, timeMsMax: PROBE_MS_MAX })
}
