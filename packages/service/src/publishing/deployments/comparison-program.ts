/**
 * The program that compares the specifications of two deployments. It reads untrusted files, so it
 * may be stopped at any time. It works once, and returns only what is stored.
 */
import process from 'node:process'
import { printable } from '@octavo/model'
import { type ApiChange, compareVersions, folderVersion } from '@octavo/openapi'
import type { ComparedTexts, SentChanges } from './compare-process.ts'

const SPECIFICATIONS_MAX = 20
const CHANGES_MAX = 50
const OPERATIONS_MAX = 3
const LENGTH_MAX = 300

/** Returns a text that the database can store. */
function clean(text: string): string {
  return printable(text).slice(0, LENGTH_MAX).toWellFormed()
}

function sentChange({ level, rule, message, operations }: ApiChange) {
  return {
    level,
    rule,
    message: clean(message),
    operations: operations.slice(0, OPERATIONS_MAX).map(clean),
    operationCount: operations.length,
  }
}

function compare({ old, added }: ComparedTexts): readonly SentChanges[] {
  return compareVersions(folderVersion(old), folderVersion(added))
    .filter(({ changes, problem }) => changes.length > 0 || problem !== undefined)
    .slice(0, SPECIFICATIONS_MAX)
    .map(({ file, changes, problem }) => {
      const count = (level: ApiChange['level']) =>
        changes.filter((change) => change.level === level).length
      return {
        file,
        breaking: count('breaking'),
        additive: count('additive'),
        documentation: count('documentation'),
        changes: changes.slice(0, CHANGES_MAX).map(sentChange),
        ...(problem !== undefined && {
          problem: clean(`The ${problem.side} version cannot be read. ${problem.reason}`),
        }),
      }
    })
}

process.on('message', (texts: ComparedTexts) => {
  process.send?.(compare(texts), () => process.exit())
})
process.on('disconnect', () => process.exit())
