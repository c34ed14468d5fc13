import { spawnSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHOSEN_FILE,
  contentOf,
  expectedArguments,
  expectedCall,
  expectedFetch,
} from '../../testing/code-samples/expected-calls.ts'
import { expectedTexts } from '../../testing/code-samples/expected-texts.ts'
import { hostileRequest } from '../../testing/code-samples/hostile-request.ts'
import { READ_LANGUAGES, readLiterals } from '../../testing/code-samples/read-literals.ts'
import { prepareRequest } from './prepare-request.ts'
import { printCodeSample } from './print-code-sample.ts'

/** Each test runs a fifth of the usual number of cases, because there are many languages. */
const RUNS = Math.ceil((fc.readConfigureGlobal().numRuns ?? 1_000) / 5)
const OUTPUT_BYTES_MAX = 1_000_000_000

describe('texts of requests in code samples', () => {
  test.each(READ_LANGUAGES)(
    'no text of a request can break out of its literal in %s',
    (language) => {
      fc.assert(
        fc.property(hostileRequest, (request) => {
          const { literals, rest } = readLiterals(language, printCodeSample(language, request))
          expect(rest).not.toContain('pwned')
          expect(rest).toMatch(/^[\n\t -~§]*$/)
          const expected = expectedTexts(language, prepareRequest(request))
          expect(literals).toEqual(expect.arrayContaining([...expected]))
        }),
        { numRuns: RUNS },
      )
    },
  )

  test.each(['javascript', 'node', 'typescript'] as const)(
    'running a %s sample sends exactly the given request',
    async (language) => {
      const sent: unknown[] = []
      const world = createContext({
        FormData: FakeForm,
        URLSearchParams: FakeForm,
        Blob: FakeBlob,
        readFile: (fileName: string) => contentOf(fileName),
        document: { querySelector: () => ({ files: [CHOSEN_FILE] }) },
        fetch: (url: string, options?: object) => {
          sent.push(structuredClone({ url, ...options }))
          return { text: () => '' }
        },
        console: { log: () => undefined },
      })
      await fc.assert(
        fc.asyncProperty(hostileRequest, async (request) => {
          const sample = printCodeSample(language, request).replace(/^import .*\n/, '')
          const plain = language === 'typescript' ? stripTypeScriptTypes(sample) : sample
          await new Script(`(async () => {\n${plain}\n})()`).runInContext(world)
          expect(sent.splice(0)).toEqual([expectedFetch(prepareRequest(request), language)])
        }),
        { numRuns: RUNS },
      )
    },
  )

  test('running a Python sample sends exactly the given request', () => {
    const requests = fc.sample(hostileRequest, RUNS)
    const samples = requests.map((request) => printCodeSample('python', request))
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON_WORLD], {
      input: JSON.stringify(samples),
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
    })
    expect(stderr).toBe('')
    const expected = requests.map((request) => expectedCall(prepareRequest(request)))
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('running a Bash sample sends exactly the given request', () => {
    const requests = fc.sample(hostileRequest, RUNS)
    const samples = requests.map((request) => printCodeSample('bash', request))
    const world = `curl() { printf '%s\\0' "$#" "$@"; }\n`
    const { stdout, stderr } = spawnSync('sh', [], {
      input: `${world}${samples.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
    })
    expect(stderr).toBe('')
    const expected = requests.map((request) => expectedArguments(prepareRequest(request)))
    expect(stdout.split('\0').slice(0, -1)).toEqual(
      expected.flatMap((given) => [String(given.length), ...given]),
    )
  })
})

class FakeForm {
  readonly entries: unknown[]
  constructor(entries: unknown[] = []) {
    this.entries = entries
  }
  append(...entry: unknown[]) {
    this.entries.push(entry)
  }
}

class FakeBlob {
  readonly content: unknown
  constructor(content: unknown) {
    this.content = content
  }
}

/** A Python program that runs each program in a JSON list, and prints how it called `requests`. */
const PYTHON_WORLD = `
import json, sys, types
calls = []
def call(method, url, **given):
    given = {k: v.decode() if isinstance(v, bytes) else v for k, v in given.items()}
    calls.append({"method": method, "url": url, **given})
    return types.SimpleNamespace(text="")
methods = ["get", "post", "put", "patch", "delete", "head", "options"]
requests = types.ModuleType("requests")
requests.request = call
for method in methods:
    setattr(requests, method, (lambda name: lambda url, **given: call(name, url, **given))(method.upper()))
sys.modules["requests"] = requests
for sample in json.load(sys.stdin):
    exec(sample, {"open": lambda name, mode: ["file", name, mode], "print": lambda text: None})
json.dump(calls, sys.stdout)
`
