import type { SamplePart } from './sample-request.ts'
import { findLongestRun } from './text-literal.ts'

type MultipartPiece = { readonly text: string } | { readonly fileName: string }

export type MultipartText = {
  readonly mediaType: string
  readonly pieces: readonly MultipartPiece[]
}

/** Prints the text of a multipart body, for HTTP clients that cannot build one themselves. */
export function printMultipart(parts: readonly SamplePart[]): MultipartText {
  const boundary = `boundary${'-'.repeat(1 + findLongestRun(JSON.stringify(parts), '-'))}sample`
  const pieces: MultipartPiece[] = []
  let text = ''
  for (const part of parts) {
    text += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`
    if ('fileName' in part) {
      text += `; filename="${quoted(part.fileName)}"\r\nContent-Type: application/octet-stream\r\n\r\n`
      pieces.push({ text }, { fileName: part.fileName })
      text = '\r\n'
    } else {
      text += `\r\n\r\n${part.value}\r\n`
    }
  }
  pieces.push({ text: `${text}--${boundary}--\r\n` })
  return { mediaType: `multipart/form-data; boundary=${boundary}`, pieces }
}

/** Escapes quotes as browsers do. Line breaks were already removed from the names. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22')
}
