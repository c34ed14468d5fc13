#!/usr/bin/env node
// All of the module: an older Node refuses to start when a name that it lacks is imported.
import * as nodeModule from 'node:module'
import process from 'node:process'
import { nodeVersionProblem } from '../../packages/model/src/node-version.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem === undefined) {
  // Half of a start is compiling our own code; what was compiled before is used again.
  nodeModule.enableCompileCache()
  await import('../../packages/service/src/main.ts')
} else {
  process.stderr.write(`octavo-service: ${problem}\n`)
  process.exitCode = 2
}
