import { posix } from 'node:path'
import { type Diagnostic, formatPlace, isHosted } from '@octavo/model'

const COMMAND = { error: 'error', warning: 'warning', note: 'notice' } as const

/**
 * Prints workflow commands, so that GitHub shows each problem next to its line in the pull request.
 */
export function printGithub(diagnostics: readonly Diagnostic[], folder: string): string {
  return diagnostics
    .map(({ code, message, hint, ...rest }) =>
      printAnnotation({ ...rest, title: code, text: `${message}\nHint: ${hint}` }, folder),
    )
    .join('')
}

type Annotation = Pick<Diagnostic, 'severity' | 'place'> & {
  readonly title: string
  readonly text: string
}

export function printAnnotation(
  { severity, place, title, text }: Annotation,
  folder: string,
): string {
  const command = COMMAND[severity]
  // A hosted specification has no line in the pull request.
  if (isHosted(place.file)) {
    const placed = `${formatPlace(place)}\n${text}`
    return `::${command} title=${escapeProperty(title)}::${escapeData(placed)}\n`
  }
  const file = posix.join(folder.replaceAll('\\', '/'), place.file)
  const properties = [
    `file=${escapeProperty(file)}`,
    `line=${place.line}`,
    `col=${place.column}`,
    `title=${escapeProperty(title)}`,
  ]
  return `::${command} ${properties.join(',')}::${escapeData(text)}\n`
}

/** Escapes an author's text, so that it cannot end the command and start another. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
