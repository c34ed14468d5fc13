/** Handles the request that opens a place in the editor when the author clicks on it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Place } from './open-program.ts'
import { readOwnRequest, readPlace, sendText } from './own-request.ts'

/** Opens a place in the editor; resolves to an error message if this fails. */
export type OpenPlace = (place: Place) => Promise<string | undefined>

export type OpenInput = {
  readonly folder: string
  readonly files: readonly string[]
  readonly openPlace: OpenPlace
}

export async function handleOpenRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, files, openPlace }: OpenInput,
): Promise<void> {
  const body = await readOwnRequest(request, response)
  if (body === undefined) return
  const place = readPlace(body, files)
  if (place === undefined) return sendText(response, 400, 'File not found.')
  const failure = await openPlace({ ...place, file: join(folder, place.file) })
  if (failure === undefined) sendText(response, 204)
  else sendText(response, 501, failure)
}
