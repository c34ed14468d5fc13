/** The pages of a private site on which readers sign in and out. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { wantsPage } from '../hosting/reader-request.ts'
import { ALWAYS, sendText } from '../hosting/send-reply.ts'
import type { SitePointer } from '../hosting/site-directory.ts'
import type { SiteReader } from './find-reader.ts'

type AskedReaderPage = {
  readonly pointer: SitePointer
  /** `/docs`; empty at the root of the host. */
  readonly basePath: string
  readonly reader: SiteReader
}

export type ReaderPages = {
  /** False for a path that has nothing to do with signing in. `path` is without the base path: `/login`. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage & { readonly path: string },
  ) => Promise<boolean>
  /** For a reader who gets nothing here before they sign in. */
  readonly askToSignIn: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage,
  ) => void
}

/** Bodies of forms and of tokens. */
export const READER_BODY_BYTES_MAX = 16 * 1024
const READER_PATH = /\/(?:login(?:\/[a-z-]{1,20})?|logout)$/

/** Whether a path may be one of these pages: they take bodies, which no page of an author does. */
export const isReaderPath = (path: string) => READER_PATH.test(path)

export function createReaderPages(): ReaderPages {
  return {
    async answer() {
      return false
    },
    askToSignIn(request, response, { basePath, reader }) {
      const isBrowser = wantsPage(request) && request.headers.accept?.includes('text/html') === true
      if (!isBrowser || request.headers.authorization !== undefined) {
        const text = reader.isRefused
          ? 'The token of this request does not work here: it has expired, was ended, or is for another site.'
          : 'This site is private. Send a token: Authorization: Bearer <token>.'
        sendText(response, 401, text, { 'www-authenticate': 'Bearer realm="docs"' })
        return
      }
      const to = encodeURIComponent(request.url ?? '/')
      response
        .writeHead(302, {
          ...ALWAYS,
          location: `${basePath}/login?to=${to}`,
          'cache-control': 'no-store',
        })
        .end()
    },
  }
}
