import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSite } from '../load/load-site.ts'
import { memoryTree } from '../source/memory-tree.ts'
import { specificationFiles } from './specification-files.ts'
import { zipFiles } from './zip-files.ts'

function filesOf(texts: Readonly<Record<string, string>>) {
  const tree = memoryTree(texts)
  const { site } = loadSite(tree)
  if (site === undefined) throw new Error('no site')
  return specificationFiles(site, tree)
}

const WITH_OPERATION =
  '{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": {"responses": {}}}}}'
const SPECIFICATION = '{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {}}'

describe('downloadable specifications', () => {
  test('a single specification is served unchanged at its path', () => {
    const files = filesOf({
      'docs.json': '{"navigation": {"tabs": [{"tab": "A", "openapi": "/api/a.json"}]}}',
      'api/a.json': SPECIFICATION,
    })
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['api/a.json', SPECIFICATION],
    ])
  })

  test('several specifications are also served as api-specs.zip', () => {
    const files = filesOf({
      'docs.json': '{"navigation": {"tabs": [{"tab": "A", "openapi": ["b.json", "a.json"]}]}}',
      'a.json': SPECIFICATION,
      'b.json': SPECIFICATION,
    })
    expect(files.map(({ path }) => path)).toEqual(['a.json', 'b.json', 'api-specs.zip'])
  })

  test('api-specs.zip is omitted if readers of the site must sign in (requirement Y7)', () => {
    const files = filesOf({
      'docs.json':
        '{"auth": {}, "navigation": {"tabs": [{"tab": "A", "public": true, "openapi": ["b.json", "a.json"]}]}}',
      'a.json': WITH_OPERATION,
      'b.json': WITH_OPERATION,
    })
    expect(files.map(({ path, access }) => [path, access])).toEqual([
      ['a.json', 'public'],
      ['b.json', 'public'],
    ])
  })
})

describe('an unused specification (requirement G3)', () => {
  const files = {
    'docs.json': '{"navigation": {"pages": ["index"]}}',
    'index.mdx': '[The specification](/un/ref.yaml)',
    'un/ref.yaml': 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n',
    'un/data.json': '{"a": 1}',
    'package.json': '{"name": "openapi", "dependencies": {"openapi": "^3.1.0"}}',
  }

  test('an unused specification is served at its path, but other data files are not', () => {
    expect(filesOf(files).map(({ path, access }) => [path, access])).toEqual([
      ['un/ref.yaml', 'default'],
    ])
  })

  test('no reader may read an unused specification with a group that no page has', () => {
    const listed = filesOf({
      ...files,
      'un/ref.yaml': `openapi: 3.1.0
info: {title: A, version: "1"}
paths:
  /plants:
    get:
      summary: List
      x-svc: {metadata: {groups: [staff]}}
`,
    })
    expect(listed.map(({ path, access }) => [path, access])).toEqual([['un/ref.yaml', []]])
  })
})

describe('the ZIP archive of specifications', () => {
  const entries = [
    { path: 'api/größe.yaml', text: 'openapi: 3.1.0\n' },
    { path: 'api/A.json', text: '{"a": 1}' },
    { path: 'api/a.json', text: '{"a": 2}' },
  ]

  test('the archive of specifications does not depend on the order of the files', () => {
    expect(zipFiles(entries)).toEqual(zipFiles(entries.toReversed()))
  })

  test('other programs can read the archive, even if names differ only in case', () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-zip-'))
    writeFileSync(join(folder, 'a.zip'), zipFiles(entries))
    const program = `import zipfile, json
with zipfile.ZipFile('a.zip') as archive:
  assert archive.testzip() is None
  print(json.dumps({name: archive.read(name).decode() for name in archive.namelist()}))`
    const out = execFileSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(JSON.parse(out)).toEqual({
      'api/A.json': '{"a": 1}',
      'api/a-2.json': '{"a": 2}',
      'api/größe.yaml': 'openapi: 3.1.0\n',
    })
  })
})
