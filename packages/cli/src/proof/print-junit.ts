import type { SampleResult } from './sample-list.ts'

/** Prints results in the format of JUnit, which most CI systems show. */
export function printJunit(results: readonly SampleResult[]): string {
  const of = (outcome: SampleResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const counts = `tests="${results.length}" failures="${of('failed')}" skipped="${of('not-run')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="octavo test" ${counts}>`,
    ...results.map(printCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function printCase({ place, operation, label, outcome, reason, problems, output }: SampleResult) {
  const { file, line } = place
  const named = `file="${escapeXml(file)}" line="${line}" classname="${escapeXml(`${file} ${operation}`)}" name="${escapeXml(label)}"`
  if (outcome === 'passed') return `    <testcase ${named}/>`
  const lines = problems.map((problem) => `${problem.place}: ${problem.reason}\n${problem.hint}`)
  const [first] = problems
  const detail =
    outcome === 'not-run'
      ? `<skipped message="${escapeXml(reason ?? '')}"/>`
      : `<failure message="${escapeXml(first?.reason ?? '')}">${escapeXml([...lines, output].join('\n'))}</failure>`
  return `    <testcase ${named}>${detail}</testcase>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text for XML, which cannot contain most control characters. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}
