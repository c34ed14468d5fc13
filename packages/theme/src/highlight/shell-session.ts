/**
 * Shell code that was copied from a terminal: commands after `$ `, and below each what it printed.
 * Only the commands are code.
 */
import { escapeHtml } from '../markup/html.ts'

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'shell', 'shellscript', 'zsh'])
const PROMPT = /^\s*\$ /

/** Returns true if some lines of shell code begin with a prompt. */
export function isShellSession(language: string, text: string): boolean {
  return SHELLS.has(language) && /^[^\S\n]*\$ /m.test(text)
}

/**
 * Renders each line: the prompt and output as spans with a class, commands with `color`. A command
 * goes on as long as its lines end with a backslash.
 */
export function colorShellSession(
  lines: readonly string[],
  color: (commands: string) => readonly string[],
): readonly string[] {
  const kinds: boolean[] = []
  for (const [index, line] of lines.entries()) {
    const goesOn = kinds[index - 1] === true && lines[index - 1]?.endsWith('\\') === true
    kinds.push(goesOn || PROMPT.test(line) || /^\s*#/.test(line))
  }
  const commands = lines.filter((_, index) => kinds[index]).map((line) => line.replace(PROMPT, ''))
  const colored = color(commands.join('\n')).values()
  return lines.map((line, index) => {
    if (kinds[index] !== true) {
      return line === '' ? '' : `<span class="t-output">${escapeHtml(line)}</span>`
    }
    const prompt = PROMPT.exec(line)?.[0]
    const command = colored.next().value ?? ''
    return prompt === undefined ? command : `<span class="t-prompt">${prompt}</span>${command}`
  })
}
