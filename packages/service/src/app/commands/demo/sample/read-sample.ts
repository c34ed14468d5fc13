import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoDataFolder } from '../../../../platform/own-files.ts'

/**
 * Reads sample data: readers' questions, events or feedback. The other files in this folder spread
 * them over the last month.
 */
export function readSample<Data>(name: 'questions' | 'events' | 'feedback'): Data {
  return JSON.parse(readFileSync(join(demoDataFolder(), `${name}.json`), 'utf8')) as Data
}
