/** Replaces `::: package.module`, for which mkdocstrings generates documentation from source code. */

const BLOCK = /^(:{3,})[ \t]+([A-Za-z_][\w-]*(?:[.:][\w]+)*)[ \t]*(?:\{[^{}]*\})?[ \t]*$/

export type GeneratedApi = { readonly text: string; readonly names: readonly string[] }

/** Returns the text with a placeholder for each block, and the names in it. */
export function replaceGeneratedApi(text: string, isPlugin: boolean): GeneratedApi {
  if (!text.includes(':::')) return { text, names: [] }
  const names: string[] = []
  const lines: string[] = []
  let fence = ''
  let options: number | undefined
  const all = text.split('\n')
  for (const [index, line] of all.entries()) {
    const depth = line.search(/\S/)
    if (options !== undefined) {
      if (depth < 0 || depth > options) {
        if (depth < 0) lines.push('')
        continue
      }
      options = undefined
    }
    const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && fence !== '') fence = ''
    const name = fence === '' ? BLOCK.exec(line.trim())?.[2] : undefined
    // Without the plugin, a single word is a container of another tool, such as `:::note`.
    const hasOptions = /^\s+:\w+:/.test(all[index + 1] ?? '')
    if (name === undefined || !(isPlugin || hasOptions || /[.:]/.test(name))) {
      lines.push(line)
      continue
    }
    options = depth
    const shown = /^\s+:(?:command|module):\s*(\S+)/.exec(all[index + 1] ?? '')?.[1] ?? name
    lines.push(
      ...placeholder(shown, !names.includes(shown)).map((one) =>
        one === '' ? '' : ' '.repeat(depth) + one,
      ),
    )
    names.push(shown)
  }
  return { text: lines.join('\n'), names }
}

function placeholder(name: string, isFirst: boolean): readonly string[] {
  return [
    '',
    ...(isFirst ? [`<span id="${name}"></span>`, ''] : []),
    '<Note>',
    '',
    `The reference of \`${name}\` is generated from its source code. It is not part of this page yet.`,
    '',
    '</Note>',
    '',
  ]
}
