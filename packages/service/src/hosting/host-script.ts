/** The service's own part of every page; `HOST_SCRIPT_PATH` in the model says why there is one. */
import { createHash } from 'node:crypto'
import { HOST_SCRIPT_PATH, mediaType } from '@octavo/model'
import type { FileReply } from './file-reply.ts'
import { ALWAYS } from './send-reply.ts'

export const HOST_SCRIPT = Buffer.from('// octavo-service\n')

const sha256 = createHash('sha256').update(HOST_SCRIPT).digest('hex')
const etag = `"${sha256}"`
const headers = Object.entries({
  ...ALWAYS,
  'content-type': mediaType(HOST_SCRIPT_PATH),
  'cache-control': 'no-cache',
  etag,
}).flat()

export const HOST_SCRIPT_REPLY: FileReply = {
  status: 200,
  sha256,
  encoding: undefined,
  etag,
  headers,
  headersOf304: headers,
}
