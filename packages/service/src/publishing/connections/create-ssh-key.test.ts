import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSshKey, publicKeyOf } from './create-ssh-key.ts'

test('OpenSSH can read the private key and derives the same public key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-key-'))
  try {
    for (const comment of ['octavo prj_0', 'octavo prj_00', 'octavo prj_000', '']) {
      const { publicKey, privateKey } = createSshKey(comment)
      expect(publicKeyOf(privateKey, comment)).toBe(publicKey)
      const file = join(folder, `key-${comment.length}`)
      writeFileSync(file, privateKey, { mode: 0o600 })
      const found = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' }).trim()
      expect(found.split(' ').slice(0, 2)).toEqual(publicKey.split(' ').slice(0, 2))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('each call creates a different key', () => {
  expect(createSshKey('a').publicKey).not.toBe(createSshKey('a').publicKey)
})
