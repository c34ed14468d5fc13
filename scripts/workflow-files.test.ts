/** Our rules for action.yml and the workflows: what a linter of GitHub Actions does not refuse. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../packages/model/src/version.ts'

type Step = {
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}
type Job = {
  readonly uses?: string
  readonly permissions?: unknown
  readonly 'timeout-minutes'?: number
  readonly steps?: readonly Step[]
}
type Workflow = {
  readonly on?: unknown
  readonly permissions?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}
type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

const ROOT = join(import.meta.dirname, '..')
const FOLDER = '.github/workflows'
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const action = load(read('action.yml')) as Action
const PINNED = /@[\da-f]{40}$/

/** One line per offence. */
function checkWorkflow(text: string): readonly string[] {
  const { on, permissions, jobs } = load(text) as Workflow
  const offences: string[] = []
  if (JSON.stringify(on ?? '').includes('pull_request_target'))
    offences.push('runs with secrets for pull requests of strangers: use pull_request')
  if (JSON.stringify(permissions) !== '{}') offences.push('set `permissions: {}`, and more per job')
  for (const [name, job] of Object.entries(jobs)) {
    if (typeof job.permissions !== 'object') offences.push(`${name}: list its permissions`)
    if (job.uses === undefined && job['timeout-minutes'] === undefined)
      offences.push(`${name}: set timeout-minutes`)
    offences.push(...checkSteps([job, ...(job.steps ?? [])]).map((why) => `${name}: ${why}`))
  }
  return offences
}

function checkSteps(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ uses, run = '' }) => [
    ...(uses === undefined || uses.startsWith('./') || PINNED.test(uses)
      ? []
      : [`pin ${uses} to the full SHA of a commit`]),
    ...(run.includes('${{') ? ['an expression inside `run`: pass it through env'] : []),
    ...(/\bsecrets\./.test(run) ? ['a secret inside `run`: pass it through env'] : []),
  ])
}

describe('workflows', () => {
  test.each(readdirSync(join(ROOT, FOLDER)))('%s obeys our rules', (name) => {
    expect(checkWorkflow(read(`${FOLDER}/${name}`))).toEqual([])
  })

  const job = 'runs-on: ubuntu-24.04, timeout-minutes: 5, permissions: {}'
  const workflow = (jobText: string, top = 'permissions: {}') =>
    `on: push\n${top}\njobs:\n  one: { ${jobText} }\n`
  test.each([
    [workflow(`${job}, steps: [{ run: make }]`), []],
    [workflow(`${job}, steps: [{ uses: ./one }]`), []],
    [workflow(`${job}, steps: [{ uses: 'a/b@${'0'.repeat(40)}' }]`), []],
    [
      workflow(`${job}, steps: [{ uses: a/b@v4 }]`),
      ['one: pin a/b@v4 to the full SHA of a commit'],
    ],
    [
      workflow(`${job}, steps: [{ run: 'echo \${{ github.ref }}' }]`),
      ['one: an expression inside `run`: pass it through env'],
    ],
    [workflow('runs-on: x, permissions: {}'), ['one: set timeout-minutes']],
    [workflow('runs-on: x, timeout-minutes: 5'), ['one: list its permissions']],
    [
      workflow('runs-on: x, timeout-minutes: 5, permissions: write-all'),
      ['one: list its permissions'],
    ],
    [workflow(job, ''), ['set `permissions: {}`, and more per job']],
    [
      workflow(job).replace('on: push', 'on: [pull_request_target]'),
      ['runs with secrets for pull requests of strangers: use pull_request'],
    ],
  ])('%j: %j', (text, offences) => {
    expect(checkWorkflow(text)).toEqual(offences)
  })

  test('only jobs behind the environment of releases get an identity or write', () => {
    const { jobs } = load(read(`${FOLDER}/release.yml`)) as Workflow
    const open = Object.entries(jobs).filter(([, one]) => !('environment' in one))
    expect(open.map(([name, { permissions }]) => [name, permissions])).toEqual([
      ['check', { contents: 'read' }],
      ['image', { contents: 'read', packages: 'write' }],
    ])
  })
})

describe('action.yml', () => {
  test('is composite, with a shell for each step, and obeys the rules for steps', () => {
    expect(action.runs.using).toBe('composite')
    expect(action.runs.steps.every(({ shell }) => shell === 'bash')).toBe(true)
    expect(checkSteps(action.runs.steps)).toEqual([])
  })

  test('passes each input to the program, by its name', () => {
    const passed = Object.entries(action.runs.steps[0]?.env ?? {}).filter(([, value]) =>
      value.includes('inputs.'),
    )
    expect(passed).toEqual(
      Object.keys(action.inputs)
        .map((name) => [
          `ACTION_${name.toUpperCase().replaceAll('-', '_')}`,
          `\${{ inputs.${name} }}`,
        ])
        .toSorted((a, b) => order(a) - order(b)),
    )
    function order([name = '']: readonly string[]): number {
      return passed.findIndex(([one]) => one === name)
    }
  })

  test('runs the version that it came with', () => {
    expect(action.inputs.version?.default).toBe(VERSION)
  })
})
