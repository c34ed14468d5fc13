import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BACKUP_FAULT_CODES, BackupFailed } from './backup-fault.ts'

const DOCS = join(import.meta.dirname, '../../../../../docs/operate/upgrades-and-backups.mdx')

test('the documentation explains every backup fault code', () => {
  const rows = [...readFileSync(DOCS, 'utf8').matchAll(/^\| `([a-z-]+)` \| /gm)]
  expect(rows.map(([, code]) => code)).toEqual([...BACKUP_FAULT_CODES])
})

test('a failed backup prints code, place, reason and hint of at most fifty faults', () => {
  const fault = {
    code: 'blob-missing',
    place: 'plants',
    reason: 'It is gone.',
    hint: 'Copy it.',
  } as const
  const { message } = new BackupFailed(Array.from({ length: 60 }, () => fault))
  expect(message.split('\n').slice(0, 2)).toEqual([
    'blob-missing: plants: It is gone.',
    '  Hint: Copy it.',
  ])
  expect(message.split('\n').at(-1)).toBe('… and 10 more.')
})
