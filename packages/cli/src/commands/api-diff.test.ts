import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../context/system-clock.ts'
import { run } from '../run.ts'

const OLD = `openapi: 3.1.0
info: {title: Plants, version: '1'}
paths:
  /plants:
    get:
      parameters:
        - {name: garden, in: query, schema: {type: string}}
      responses: {'200': {description: All plants}}
`
const BROKEN = OLD.replace('in: query', 'in: query, required: true')
const DESCRIBED = OLD.replace('All plants', 'Every plant')

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'octavo-api-'))
  for (const folder of ['old/api', 'new/api']) mkdirSync(join(root, folder), { recursive: true })
  const files = { 'a.yaml': OLD, 'b.yaml': BROKEN, 'c.yaml': DESCRIBED, 'old/api/x.yaml': OLD }
  const more = {
    'new/api/x.yaml': BROKEN,
    'new/other.json': '{"a": 1}',
    'swagger.yaml': 'swagger: "1.2"',
  }
  for (const [name, text] of Object.entries({ ...files, ...more }))
    writeFileSync(join(root, name), text)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--initial-branch=main')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'a')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function diff(...args: readonly string[]) {
  let out = ''
  let err = ''
  const code = await run({
    args: ['api', 'diff', ...args],
    cwd: root,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: systemClock,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

describe('octavo api diff', () => {
  test('octavo api diff lists changes with level, place, rule, operation and a sentence', async () => {
    expect((await diff('a.yaml', 'b.yaml')).out).toBe(
      'breaking  b.yaml:7:11  parameter-required\n' +
        '  GET /plants: The query parameter `garden` is now required.\n\n' +
        '1 breaking, 0 additive, 0 changes of the documentation.\n',
    )
    expect((await diff('a.yaml', 'a.yaml')).out).toBe('No changes.\n')
  })

  test.each([
    ['none', 'b.yaml', 0],
    ['breaking', 'b.yaml', 1],
    ['breaking', 'c.yaml', 0],
    ['additive', 'b.yaml', 1],
    ['additive', 'c.yaml', 0],
  ])('--fail-on %s with %s exits with %i', async (level, file, code) => {
    expect((await diff('a.yaml', file, '--fail-on', level)).code).toBe(code)
  })

  test('the versions can be two folders, or in Git', async () => {
    for (const [old, added] of [
      ['old', 'new'],
      ['main:old', 'new'],
      ['main:./old/', 'main:new'],
    ] as const) {
      const { counts, changes } = JSON.parse((await diff(old, added, '--json')).out)
      expect(counts).toEqual({ breaking: 1, additive: 0, documentation: 0 })
      expect(changes[0]).toMatchObject({ file: 'api/x.yaml', rule: 'parameter-required' })
    }
    expect((await diff('main:a.yaml', 'b.yaml')).out).toContain('1 breaking')
  })

  test.each([
    [['a.yaml'], 'Missing arguments'],
    [['a.yaml', 'b.yaml', 'c.yaml'], 'Unexpected argument "c.yaml".'],
    [['a.yaml', 'b.yaml', '--fail-on', 'all'], 'expected breaking, additive, none'],
    [['a.yaml', 'missing.yaml'], '"missing.yaml" does not exist.'],
    [['a.yaml', 'no-branch:a.yaml'], 'Git has no "a.yaml" in "no-branch" here.'],
    [['a.yaml', '--output=x:a.yaml'], '--output'],
    [['a.yaml', 'main:../../etc/passwd'], 'Git has no'],
    [['a.yaml', 'old'], 'One is a file and the other a folder.'],
    [['a.yaml', 'swagger.yaml'], '"swagger.yaml" cannot be read'],
  ])('octavo api diff %j is rejected', async (args, reason) => {
    const { code, err } = await diff(...args)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(reason) })
  })

  test('overlays that docs.json names are part of the specification in a folder', async () => {
    const config = {
      navigation: {
        tabs: [{ tab: 'API', openapi: { source: 'api/x.yaml', overlays: ['public.yaml'] } }],
      },
    }
    const overlay = `overlay: 1.0.0
info: {title: Public, version: '1'}
actions:
  - target: $.paths['/plants'].get.parameters[0]
    update: {required: true}
`
    mkdirSync(join(root, 'overlaid/api'), { recursive: true })
    writeFileSync(join(root, 'overlaid/docs.json'), JSON.stringify(config))
    writeFileSync(join(root, 'overlaid/api/x.yaml'), OLD)
    writeFileSync(join(root, 'overlaid/public.yaml'), overlay)
    const { out } = await diff('old', 'overlaid')
    expect(out).toContain('The query parameter `garden` is now required.')
    expect(out).toContain('1 breaking')
    writeFileSync(join(root, 'overlaid/single.yaml'), `extends: api/x.yaml\n${overlay}`)
    expect((await diff('old/api/x.yaml', 'overlaid/single.yaml')).out).toContain('1 breaking')
    rmSync(join(root, 'overlaid'), { recursive: true })
  })
})
