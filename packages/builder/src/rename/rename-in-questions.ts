/** Plans edits of the page URLs in the question file. */
import { pageUrl, parseJson } from '@octavo/model'
import type { TextEdit } from './plan-rename.ts'
import { replaceString, type StringNode, strings } from './rename-in-config.ts'

type Paths = { readonly from: string; readonly to: string }

/** Returns the edits of a question file. Its lines are separate JSON objects. */
export function renameInQuestions(
  file: string,
  text: string,
  { from, to }: Paths,
): readonly TextEdit[] {
  const edits: TextEdit[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    const root = line.trim() === '' ? undefined : parseJson(file, line, () => {})
    for (const node of root === undefined ? [] : strings(root)) {
      if (!isPage(node) || node.value !== pageUrl(from)) continue
      const { start, end, put } = replaceString(line, node.start, pageUrl(to))
      edits.push({ start: lineStart + start, end: lineStart + end, put })
    }
    lineStart += line.length + 1
  }
  return edits
}

function isPage({ key, parent }: StringNode): boolean {
  return key === 'page' || parent?.key === 'alsoAcceptable'
}
