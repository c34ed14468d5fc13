/** Tests that a cell only accepts exports that a trusted cell signed, byte by byte. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CraftedRow, craftArchive } from '../../../testing/craft-archive.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createPepperRing, type PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { signManifest } from './export-signature.ts'
import { parseTransferKey } from './transfer-key.ts'

const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
const OTHER_PEPPER = createPepperRing({ current: 'another pepper of 32 characters or more' })
const folder = mkdtempSync(join(tmpdir(), 'octavo-signature-'))
const keyFile = join(folder, 'key')
const KEY = Buffer.alloc(32, 4).toString('base64')
writeFileSync(keyFile, KEY)

const startCell = async (name: string) =>
  startTestService({
    blobStore: await openFolderStore(join(folder, name)),
    blobs: { blobs: join(folder, name) },
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
  })
let first: TestService
let second: TestService
let project: TestProject
let path: string
beforeAll(async () => {
  first = await startCell('first')
  second = await startCell('second')
  project = await first.createProject(KEY_SCOPES)
  await clientOf(first.url, project).deploy(siteOf({ 'index.html': 'words' }))
  for (const questionId of ['1', '2']) await first.publish(project, { ...TURN, questionId })
  path = join(folder, 'export')
  await octavo(first, ['project', 'export', project.publicId, path, '--key-file', keyFile])
})
afterAll(async () => {
  await first.stop()
  await second.stop()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const newFolder = () => {
  count += 1
  return join(folder, `copy-${count}`)
}
const copy = () => {
  const target = newFolder()
  cpSync(path, target, { recursive: true })
  return target
}
const importTo = (target: string, options: readonly string[] = []) =>
  octavo(second, ['project', 'import', target, ...options])
async function refused(target: string, reason: string | RegExp, options: readonly string[] = []) {
  await expect(importTo(target, options)).rejects.toThrow(reason)
  expect(await second.owner.query('select from project where id = $1', [project.id])).toEqual([])
}
/** Signs the export as a cell with this pepper would. */
function sign(target: string, pepper: PepperRing, key?: string): string {
  const bytes = readFileSync(join(target, 'manifest.json'))
  const transferKey = key === undefined ? undefined : parseTransferKey(key)
  const signature = signManifest(bytes, { pepper, transferKey })
  writeFileSync(join(target, 'signature.json'), JSON.stringify(signature))
  return target
}
/** Changes one byte of a file, and returns the original bytes. */
function change(target: string, name: string): Buffer {
  const file = join(target, name)
  const bytes = readFileSync(file)
  // In signature.json, this byte is in the signature that was made with the pepper.
  const at = Math.min(20, bytes.length - 1)
  writeFileSync(file, Buffer.from(bytes).fill((bytes[at] ?? 0) ^ 1, at, at + 1))
  return bytes
}
const listFiles = () =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(path, name)).isFile(),
  )

describe('export signatures', () => {
  test('an export with one changed byte in any file is rejected', async () => {
    const files = listFiles().filter((name) => statSync(join(path, name)).size > 0)
    const [blobs, others] = [true, false].map((is) =>
      files.filter((name) => name.startsWith('blobs/') === is),
    )
    expect(others?.length).toBeGreaterThan(10)
    const target = copy()
    for (const name of others ?? []) {
      const bytes = change(target, name)
      await refused(
        target,
        /damaged|changed after it was made|is not a manifest|cannot be verified/,
      )
      writeFileSync(join(target, name), bytes)
    }
    for (const name of blobs ?? []) change(target, name)
    await refused(target, 'is damaged')
  })

  test('an export with reordered or repeated rows is rejected', async () => {
    const turned = craftArchive(path, newFolder(), {
      rows: { conversation: (rows) => rows.toReversed() },
    })
    await refused(turned, 'The signature of')
    const file = join(copy(), 'rows/conversation.ndjson')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, `${lines.toReversed().join('\n')}\n`)
    await refused(join(folder, `copy-${count}`), 'conversation.ndjson is damaged')
    const twice = craftArchive(path, newFolder(), {
      rows: { membership: (rows) => [...rows, ...rows] },
    })
    await refused(twice, 'The signature of')
  })

  test('an export with swapped files is rejected', async () => {
    const target = copy()
    const rows = join(target, 'rows')
    renameSync(join(rows, 'conversation.ndjson'), join(rows, 'between'))
    renameSync(join(rows, 'deployment.ndjson'), join(rows, 'conversation.ndjson'))
    renameSync(join(rows, 'between'), join(rows, 'deployment.ndjson'))
    await refused(target, 'deployment.ndjson is damaged')
  })

  test('an export without a signature, or signed by another cell, is rejected', async () => {
    const target = copy()
    rmSync(join(target, 'signature.json'))
    await refused(target, 'It cannot be verified that one of your cells made')
    writeFileSync(join(target, 'signature.json'), '{"pepper": null}')
    await refused(target, 'It cannot be verified')
    await refused(sign(target, OTHER_PEPPER), 'The signature of')
    const otherKey = Buffer.alloc(32, 8).toString('base64')
    const theirs = craftArchive(path, newFolder(), {
      manifest: (manifest) => {
        manifest.pepper = '0'.repeat(16)
      },
    })
    const options = ['--without-keys', '--key-file', keyFile]
    await refused(sign(theirs, OTHER_PEPPER, otherKey), 'It cannot be verified', options)
    await refused(sign(theirs, OTHER_PEPPER), 'It cannot be verified', options)
    // The right key is not enough: the signature has to match this manifest.
    cpSync(join(path, 'signature.json'), join(theirs, 'signature.json'))
    await refused(theirs, 'It cannot be verified', options)
  })

  test('blobs of an unsigned export are not copied with --blobs', async () => {
    const target = copy()
    rmSync(join(target, 'signature.json'))
    await refused(target, 'It cannot be verified', ['--blobs'])
  })
})

describe('rows of a signed export', () => {
  const signed = (rows: Record<string, (rows: CraftedRow[]) => CraftedRow[]>) =>
    sign(craftArchive(path, newFolder(), { rows }), PEPPER)

  test('a signed export with rows of another project or organization is rejected', async () => {
    const elsewhere = (column: string) => (rows: CraftedRow[]) =>
      rows.map((row) => ({ ...row, [column]: '1' }))
    await refused(
      signed({ conversation: elsewhere('project_id') }),
      'conversation: a row has the project_id 1',
    )
    await refused(
      signed({ audit_event: elsewhere('organization_id') }),
      'audit_event: a row has the organization_id 1',
    )
    await refused(signed({ organization: elsewhere('id') }), 'organization: a row has the id 1')
    await refused(signed({ project: elsewhere('organization_id') }), 'project: a row has')
    await refused(signed({ project: (rows) => [...rows, ...rows] }), 'project: expected one row')
    const foreign = { organization_id: '1', id: '2', user_id: '3', project_id: null, role: 'owner' }
    await refused(
      signed({ organization_membership: () => [foreign] }),
      'organization_membership: a row has the organization_id 1',
    )
    await refused(
      signed({
        organization_membership: () => [
          { ...foreign, organization_id: project.tenant.organizationId, project_id: project.id },
        ],
      }),
      'organization_membership: a row has the project_id',
    )
  })

  test('a signed export whose row count differs from its manifest is rejected', async () => {
    for (const name of ['secret', 'membership', 'reader_session', 'conversation', 'app_user']) {
      const target = craftArchive(path, newFolder(), {
        manifest: ({ files }) => {
          const file = files[name]
          if (file !== undefined) file.rows += 1
        },
      })
      await refused(sign(target, PEPPER), `${name}.ndjson is damaged`)
    }
  })

  test('an export with links, pipes or names that lead out of its folder is rejected', async () => {
    const outside = join(folder, 'outside')
    cpSync(join(path, 'rows/conversation.ndjson'), outside)
    const linked = copy()
    rmSync(join(linked, 'rows/conversation.ndjson'))
    symlinkSync(outside, join(linked, 'rows/conversation.ndjson'))
    await refused(linked, 'conversation.ndjson is not a regular file')
    const linkedFolder = copy()
    renameSync(join(linkedFolder, 'rows'), join(folder, 'rows-outside'))
    symlinkSync(join(folder, 'rows-outside'), join(linkedFolder, 'rows'))
    await refused(linkedFolder, 'rows is not a folder')
    const pipe = copy()
    rmSync(join(pipe, 'manifest.json'))
    execFileSync('mkfifo', [join(pipe, 'manifest.json')])
    await refused(pipe, 'manifest.json is not a regular file')
    const named = craftArchive(path, newFolder(), {
      manifest: ({ files }) => {
        files['../../outside'] = { rows: 1, bytes: 1, sha256: '0'.repeat(64) }
      },
    })
    await refused(sign(named, PEPPER), 'is not a manifest')
    const blob = signed({
      project_blob: (rows) => rows.map((row) => ({ ...row, sha256: '\\x../../outside' })),
    })
    await refused(blob, 'expected the SHA-256')
  })

  test('an export with malformed or overlong lines, or a large manifest, is rejected', async () => {
    const raw = (text: string) => {
      const target = craftArchive(path, newFolder(), {
        manifest: ({ files }) => {
          const sha256 = createHash('sha256').update(text).digest('hex')
          files.conversation = { rows: 1, bytes: Buffer.byteLength(text), sha256 }
        },
      })
      writeFileSync(join(target, 'rows/conversation.ndjson'), text)
      return sign(target, PEPPER)
    }
    await refused(raw('{"project_id"\n'), 'row 1: expected a JSON object')
    await refused(raw('[]\n'), 'row 1: expected an object with only strings or null as values')
    await refused(
      raw('{"project_id": {}}\n'),
      'row 1: expected an object with only strings or null as values',
    )
    const lineOf = (length: number) => raw(`"${'x'.repeat(length - 2)}"\n`)
    await refused(
      lineOf(16_000_000),
      'row 1: expected an object with only strings or null as values',
    )
    await refused(lineOf(16_000_001), 'has a line of more than 16000000 characters')
    const large = copy()
    writeFileSync(join(large, 'manifest.json'), ' '.repeat(1_000_001))
    await refused(large, 'has more than 1000000 bytes')
  })
})

test('an unchanged or newly signed export is imported', async () => {
  const target = sign(craftArchive(path, newFolder(), {}), PEPPER)
  expect((await importTo(target))[0]).toContain('All of them match the export.')
  const [slug] = await second.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  await octavo(second, ['project', 'delete', project.publicId, '--yes', slug?.slug ?? ''])
  expect((await importTo(path))[0]).toContain('All of them match the export.')
})
