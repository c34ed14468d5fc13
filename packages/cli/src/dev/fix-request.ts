/** Applies the fix of one problem, as `octavo check --fix` does, when the author clicks on "Fix". */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Diagnostic, formatPlace } from '@octavo/model'
import { applyFixes } from '../commands/apply-fixes.ts'
import { readOwnRequest, readPlace, sendText } from './own-request.ts'

export type FixInput = {
  readonly folder: string
  readonly files: readonly string[]
  /**
   * The problems that open pages show. A request names one of them, but never the text to write.
   */
  readonly shown: readonly Diagnostic[]
}

export async function handleFixRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, files, shown }: FixInput,
): Promise<void> {
  const body = await readOwnRequest(request, response)
  if (body === undefined) return
  const place = readPlace(body, files)
  const found = shown.find(
    (one) =>
      place !== undefined &&
      formatPlace(one.place) === formatPlace(place) &&
      one.code === body.code &&
      one.message === body.message,
  )
  if (found?.fix === undefined) return sendText(response, 400, 'There is no fix for this problem.')
  const fixed = applyFixes(folder, [found])
  if (fixed.length > 0) sendText(response, 204)
  else sendText(response, 409, 'The file has changed. Save it and try again.')
}
