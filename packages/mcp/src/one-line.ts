import { cleanText } from '@octavo/model'

export function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim()
}
