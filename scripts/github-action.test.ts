/**
 * Runs the action in action.yml as a job would, with a local server as GitHub's API. `deploy` is
 * tested in packages/cli/src/deploy.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readInputs } from '../.github/action/inputs.ts'
import { packageOf } from '../.github/action/install-octavo.ts'
import { withoutSecrets } from '../.github/action/run-octavo.ts'
import { writeComment } from '../.github/action/write-comment.ts'
import { LoopbackGithub, runJob } from '../packages/cli/testing/loopback-github.ts'

const DOCS_JSON = JSON.stringify({
  name: 'Plants',
  navigation: { groups: [{ group: 'Start', pages: ['index'] }] },
})
const GOOD = { 'docs.json': DOCS_JSON, 'index.mdx': '---\ntitle: Welcome\n---\n\nHello.\n' }
const BROKEN = { ...GOOD, 'index.mdx': '---\ntitle: Welcome\n---\n\n[Gone](/gone)\n' }
const OWN = 'team/docs'
const FORK = 'stranger/docs'

let github: LoopbackGithub
beforeAll(async () => {
  github = new LoopbackGithub()
  await github.start()
})
beforeEach(() => {
  github.comments.length = 0
  github.requests.length = 0
  github.isReadOnly = false
})
afterAll(() => github.stop())

describe('`command: check`', () => {
  test('the action accepts a valid site on a push without requests to GitHub', async () => {
    const { code, log, summary, output } = await runJob({ github, files: GOOD })
    expect([code, log, output]).toEqual([0, '', 'errors=0\nwarnings=0\n'])
    expect(summary).toContain('| Problems | 0 errors, 0 warnings, 0 notes |')
    expect(github.requests).toEqual([])
  })

  test('the action annotates a broken link at its line, counts it and fails the job', async () => {
    const { code, log, output } = await runJob({ github, files: BROKEN })
    expect([code, output]).toEqual([1, 'errors=1\nwarnings=0\n'])
    expect(log).toMatch(/^::error file=docs\/index\.mdx,line=5,col=\d+,title=link\/broken::/)
  })

  test('warnings fail the job of the action only with `strict`', async () => {
    const files = { ...GOOD, 'docs.json': DOCS_JSON.replace('"name"', '"nmae":"x","name"') }
    const codes = [
      (await runJob({ github, files })).code,
      (await runJob({ github, files, inputs: { strict: 'true' } })).code,
    ]
    expect(codes).toEqual([0, 1])
  })
})

describe('pull request comment', () => {
  test('the pull request comment is written once and updated by the next run', async () => {
    await runJob({ github, files: BROKEN, from: OWN })
    await runJob({ github, files: GOOD, from: OWN })
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toContain('| Problems | 0 errors, 0 warnings, 0 notes |')
    expect(github.requests.map((request) => request.split(' ')[0])).toEqual([
      'GET',
      'POST',
      'GET',
      'PATCH',
    ])
  })

  const MARKER = '<!-- octavo docs  -->'
  const comment = (body: string, token = 'of-the-job') => {
    const env = { GITHUB_API_URL: github.url, GITHUB_REPOSITORY: OWN }
    return writeComment({ env, token, pullRequest: 7, marker: MARKER }, body)
  }

  test('the pull request comment is found after a hundred others', async () => {
    for (let id = 1; id <= 100; id += 1)
      github.comments.push({ id, body: 'Looks good.', user: { type: 'User' } })
    await comment('First.')
    await comment('Second.')
    expect(github.comments.slice(100).map(({ body }) => body)).toEqual([`${MARKER}\nSecond.`])
  })

  test("a user's comment with the marker of the action is never replaced", async () => {
    github.comments.push({ id: 1, body: `${MARKER}\nMine.`, user: { type: 'User' } })
    await comment('Ours.')
    expect(github.comments.map(({ body }) => body)).toEqual([
      `${MARKER}\nMine.`,
      `${MARKER}\nOurs.`,
    ])
  })

  test('an invalid token for the pull request comment is reported with a reason', async () => {
    expect(await comment('Ours.', 'wrong')).toBe('GitHub answered 401')
  })

  test('no pull request comment is written with `comment: false`', async () => {
    await runJob({ github, files: GOOD, from: OWN, inputs: { comment: 'false' } })
    expect(github.requests).toEqual([])
  })

  test.each([
    ['the job may not write', 'of-the-job', 'GitHub answered 403'],
    ['there is no token', '', 'there is no token'],
  ])('only the job summary is written, and no comment, if %s', async (_, token, reason) => {
    github.isReadOnly = true
    const inputs = { 'github-token': token }
    const { code, log, summary } = await runJob({ github, files: GOOD, from: FORK, inputs })
    expect([code, github.comments]).toEqual([0, []])
    expect(log).toContain(`::notice title=Octavo::No comment on the pull request: ${reason}.`)
    expect(summary).toContain('| Problems | 0 errors, 0 warnings, 0 notes |')
  })
})

describe('`command: deploy`', () => {
  const target = {
    command: 'deploy',
    service: 'http://127.0.0.1:9',
    project: 'prj_a2v0bu8bs94pm1ld',
  }

  test('a pull request from a fork is not deployed even if the job has secrets', async () => {
    const env = { GITHUB_EVENT_NAME: 'pull_request_target' }
    const inputs = { ...target, 'api-key': 'a-key' }
    const { code, summary } = await runJob({ github, files: GOOD, from: FORK, inputs, env })
    expect(code).toBe(0)
    expect(summary).toContain(
      '| Deployment | Skipped: pull requests from forks are not deployed. |',
    )
  })

  test('the action does not deploy a site with errors', async () => {
    const { code, summary } = await runJob({ github, files: BROKEN, inputs: target })
    expect(code).toBe(1)
    expect(summary).toContain('| Deployment | Skipped: the check failed. |')
  })

  test('the error without a permission to deploy names `id-token: write`', async () => {
    const { code, log } = await runJob({ github, files: GOOD, inputs: target })
    expect(code).toBe(2)
    expect(log).toContain('Add `id-token: write` to its `permissions`, or set `api-key`.')
  })
})

describe('action inputs', () => {
  const GIVEN = {
    ACTION_COMMAND: 'check',
    ACTION_FOLDER: 'docs',
    ACTION_VERSION: '0.1.0',
    ACTION_STRICT: 'false',
    ACTION_COMMENT: 'true',
  }

  test.each([
    [{ ACTION_COMMAND: 'build' }, '`command` is "build". Use check or deploy.'],
    [
      { ACTION_FOLDER: '--fix' },
      '`folder` is "--fix". Use the folder with docs.json, for example docs.',
    ],
    [
      { ACTION_VERSION: 'latest' },
      '`version` is "latest". Use a whole version, for example 0.1.0.',
    ],
    [
      { ACTION_VERSION: '0.1.0 evil' },
      '`version` is "0.1.0 evil". Use a whole version, for example 0.1.0.',
    ],
    [
      { ACTION_SERVICE: 'http://octavo.example.com' },
      '`service` is "http://octavo.example.com". Use its URL, for example https://octavo.example.com.',
    ],
    [
      { ACTION_PROJECT: '../x' },
      '`project` is "../x". Use the id on the page of the project, prj_….',
    ],
    [
      { ACTION_PROOF: '--draft' },
      '`proof` is "--draft". Use the file that `octavo test -o` wrote.',
    ],
    [{ ACTION_STRICT: 'yes' }, '`strict` is "yes". Use true or false.'],
    [{ ACTION_COMMAND: 'deploy' }, '`command: deploy` needs `service` and `project`.'],
  ])('the action inputs %j are rejected with a suggestion', (changes, mistake) => {
    expect(readInputs({ ...GIVEN, ...changes })).toEqual({ mistakes: [mistake] })
  })

  test('an invalid action input fails the job with an annotation before the CLI is installed', async () => {
    const { code, log } = await runJob({ github, files: GOOD, inputs: { command: 'a\nb' } })
    expect([code, log]).toEqual([
      2,
      '::error title=Octavo::`command` is "a b". Use check or deploy.\n',
    ])
  })

  test('the action installs the CLI from the service if there is one, otherwise from npm', () => {
    const service = 'https://octavo.example.com'
    expect([
      packageOf({ service, version: '0.1.0' }),
      packageOf({ service: undefined, version: '0.1.0' }),
    ]).toEqual(['https://octavo.example.com/cli/octavo-0.1.0.tgz', 'octavo@0.1.0'])
  })

  test("npm and `check` do not get the job's tokens", () => {
    const tokens = {
      ACTION_GITHUB_TOKEN: '1',
      ACTION_API_KEY: '2',
      OCTAVO_API_KEY: '3',
      ACTIONS_ID_TOKEN_REQUEST_URL: '4',
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: '5',
    }
    expect(withoutSecrets({ ...tokens, PATH: '/bin' })).toEqual({ PATH: '/bin' })
  })
})
