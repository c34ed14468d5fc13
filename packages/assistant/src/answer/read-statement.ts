/** The statement at the end of a model's answer, in a format for programs. Readers never see it. */
export type Statement = {
  readonly isAnswered: boolean
  readonly category: string | undefined
  /** The numbers of the sources that the model cites. */
  readonly sources: readonly number[]
}

const SOURCES_MAX = 50

/** Reads the values of a statement one by one, since models often write invalid JSON. */
export function readStatement(text: string): Statement | undefined {
  const [, answered] = /["']?answered["']?\s*:\s*["']?(\w+)/i.exec(text) ?? []
  if (answered === undefined) return undefined
  const [, category] = /["']?category["']?\s*:\s*["']([^"'\n]{1,100})["']/i.exec(text) ?? []
  const [, sources = ''] = /["']?sources["']?\s*:\s*\[([^\]]{0,500})/i.exec(text) ?? []
  const numbers = (sources.match(/\d{1,4}/g) ?? []).slice(0, SOURCES_MAX).map(Number)
  return { isAnswered: !/^(?:false|no|none|0)$/i.test(answered), category, sources: numbers }
}
