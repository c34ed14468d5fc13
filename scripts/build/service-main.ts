#!/usr/bin/env node
// This is a namespace import because older versions of Node do not start if a named export is
// missing.
import * as nodeModule from 'node:module'
import process from 'node:process'
import { nodeVersionProblem } from '../../packages/model/src/node-version.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem === undefined) {
  // Half of the startup time is spent on compiling our own code, so compiled code is cached.
  nodeModule.enableCompileCache()
  await import('../../packages/service/src/main.ts')
} else {
  process.stderr.write(`octavo-service: ${problem}\n`)
  process.exitCode = 2
}
