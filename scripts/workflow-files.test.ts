/**
 * Tests our rules for action.yml and the workflows, which a GitHub Actions linter does not check.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../packages/model/src/version.ts'

type Step = {
  readonly name?: string
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

/** Returns one line for each violation of the rules in a workflow. */
function checkWorkflow(text: string): readonly string[] {
  const { on, permissions, jobs } = load(text) as Workflow
  const violations: string[] = []
  if (JSON.stringify(on ?? '').includes('pull_request_target'))
    violations.push('runs with secrets for pull requests from forks: use pull_request')
  if (JSON.stringify(permissions) !== '{}')
    violations.push('set `permissions: {}`, and more per job')
  for (const [name, job] of Object.entries(jobs)) {
    if (typeof job.permissions !== 'object') violations.push(`${name}: list its permissions`)
    if (job.uses === undefined && job['timeout-minutes'] === undefined)
      violations.push(`${name}: set timeout-minutes`)
    violations.push(...checkSteps([job, ...(job.steps ?? [])]).map((why) => `${name}: ${why}`))
  }
  return violations
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

describe('workflow rules', () => {
  test.each(readdirSync(join(ROOT, FOLDER)))(
    'the workflow %s follows the rules of this project',
    (name) => {
      expect(checkWorkflow(read(`${FOLDER}/${name}`))).toEqual([])
    },
  )

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
      ['runs with secrets for pull requests from forks: use pull_request'],
    ],
  ])('the workflow %j has the violations %j', (text, violations) => {
    expect(checkWorkflow(text)).toEqual(violations)
  })

  test('only jobs in the release environment get an identity or write access', () => {
    const { jobs } = load(read(`${FOLDER}/release.yml`)) as Workflow
    const open = Object.entries(jobs).filter(([, one]) => !('environment' in one))
    expect(open.map(([name, { permissions }]) => [name, permissions])).toEqual([
      ['check', { contents: 'read' }],
      ['image', { contents: 'read', packages: 'write' }],
    ])
  })
})

test('every e2e test that CI runs exists', () => {
  const paths = read('.ci/e2e-tests')
    .split('\n')
    .filter((line) => /^[^#]/.test(line))
  expect(paths.length).toBeGreaterThanOrEqual(20)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

describe('checkout step', () => {
  const jobs = readdirSync(join(ROOT, FOLDER)).flatMap((name) =>
    Object.values((load(read(`${FOLDER}/${name}`)) as Workflow).jobs),
  )
  const scripts = jobs
    .flatMap(({ steps = [] }) => steps)
    .flatMap(({ name, run = '' }) => (name === 'Check out' ? [run] : []))

  test('the checkout step is first and identical in each job', () => {
    expect(jobs.flatMap(({ steps = [] }) => steps.slice(0, 1)).map(({ name }) => name)).toEqual(
      scripts.map(() => 'Check out'),
    )
    expect(new Set(scripts).size).toBe(1)
  })

  test('the checkout step fetches the commit of the job, not a newer one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-checkout-'))
    try {
      const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
      const run = (cwd: string, command: string, more = {}) =>
        execFileSync('bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', command], {
          cwd: join(folder, cwd),
          env: { ...env, ...more },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        }).trim()
      for (const name of ['team', 'team/docs', 'work']) mkdirSync(join(folder, name))
      const commit = 'git -c user.name=Ada -c user.email=ada@example.com commit -q --allow-empty'
      run('team/docs', `git init -q; git config uploadpack.allowAnySHA1InWant true`)
      run('team/docs', `${commit} -m one; ${commit} -m two`)
      const GITHUB_SHA = run('team/docs', 'git rev-parse HEAD~1')
      run('work', scripts[0] ?? '', {
        TOKEN: 'of-the-job',
        GITHUB_SHA,
        GITHUB_SERVER_URL: `file://${folder}`,
        GITHUB_REPOSITORY: 'team/docs',
      })
      expect(run('work', 'git log -1 --format=%s')).toBe('one')
      expect(readFileSync(join(folder, 'work/.git/config'), 'utf8')).not.toContain('Basic')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('action.yml', () => {
  test('action.yml is composite, sets a shell per step and follows the rules', () => {
    expect(action.runs.using).toBe('composite')
    expect(action.runs.steps.every(({ shell }) => shell === 'bash')).toBe(true)
    expect(checkSteps(action.runs.steps)).toEqual([])
  })

  test('action.yml passes each input to the program by name', () => {
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

  const runStep = (path: string, env: Readonly<Record<string, string>>) =>
    spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', action.runs.steps[0]?.run ?? ''],
      {
        env: { PATH: path, ACTION_PATH: ROOT, ...env },
        encoding: 'utf8',
      },
    )

  test('action.yml starts its program, which reads the inputs', () => {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`
    const { status, stdout, stderr } = runStep(path, { ACTION_COMMAND: 'deploy' })
    expect([status, stderr]).toEqual([2, ''])
    expect(stdout).toContain(
      '::error title=Octavo::`command: deploy` needs `service` and `project`.',
    )
  })

  test('the error of the action for an older Node says what to add to the job', () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-node-'))
    try {
      const old = '#!/bin/sh\n[ "$1" = --version ] && echo v20.19.2 || exit 1\n'
      writeFileSync(join(folder, 'node'), old, { mode: 0o755 })
      const { status, stdout } = runStep(`${folder}:${process.env.PATH}`, {})
      expect([status, stdout]).toEqual([
        2,
        '::error title=Octavo::Octavo needs Node 22.18 or newer, but this job has v20.19.2. Add actions/setup-node with node-version 24 before this step.\n',
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test("the default of the action's input `version` is its own version", () => {
    expect(action.inputs.version?.default).toBe(VERSION)
  })
})
