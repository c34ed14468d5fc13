import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoDataFolder } from '../../../../platform/own-files.ts'

/** What readers of the sample site ask, read and say; spread over the last month by the files next to this one. */
export function readSample<Data>(name: 'questions' | 'events' | 'feedback'): Data {
  return JSON.parse(readFileSync(join(demoDataFolder(), `${name}.json`), 'utf8')) as Data
}
