import { posix } from 'node:path'
import { type Diagnostic, formatPlace, isHosted } from '@octavo/model'

const COMMAND = { error: 'error', warning: 'warning', note: 'notice' } as const

/**
 * Prints workflow commands, so that GitHub shows each problem next to its line in the pull request.
 */
export function printGithub(diagnostics: readonly Diagnostic[], folder: string): string {
  return diagnostics
    .map(({ code, severity, message, hint, place }) => {
      // A hosted specification has no line in the pull request.
      if (isHosted(place.file)) {
        const text = `${formatPlace(place)}\n${message}\nHint: ${hint}`
        return `::${COMMAND[severity]} title=${escapeProperty(code)}::${escapeData(text)}\n`
      }
      const file = posix.join(folder.replaceAll('\\', '/'), place.file)
      const properties = [
        `file=${escapeProperty(file)}`,
        `line=${place.line}`,
        `col=${place.column}`,
        `title=${escapeProperty(code)}`,
      ]
      return `::${COMMAND[severity]} ${properties.join(',')}::${escapeData(`${message}\nHint: ${hint}`)}\n`
    })
    .join('')
}

/** Escapes an author's text, so that it cannot end the command and start another. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
