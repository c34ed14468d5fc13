/** Rewrites what the Markdown of MkDocs reads in another way than CommonMark. */
import { replaceOutsideCode } from '../page/map-prose.ts'

const DEFINITION = /^[ \t]*\[[^\]\n^]{1,200}\]:[ \t]+\S/

export function rewritePython(prose: string): string {
  const lists = prose.replaceAll(/\{:?[ \t]*\.[ \t]+(?=[\w-])/g, '{ .')
  const raised = replaceOutsideCode(
    lists,
    /(?<=[A-Za-z0-9)])\^([A-Za-z0-9+-]{1,8})\^(?=[A-Za-z])/g,
    (_, text = '') => `<sup>${text}</sup>`,
  )
  return separateDefinitions(raised)
}

/** Puts blank lines before definitions of links, which do not end a paragraph in CommonMark. */
function separateDefinitions(prose: string): string {
  let before = ''
  const lines = prose.split('\n').flatMap((line) => {
    const isFirst = DEFINITION.test(line) && before.trim() !== '' && !DEFINITION.test(before)
    before = line
    return isFirst ? ['', line] : [line]
  })
  return lines.join('\n')
}
