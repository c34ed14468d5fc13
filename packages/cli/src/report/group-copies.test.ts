import { diagnose } from '@octavo/model'
import { expect, test } from 'vitest'
import { groupCopies } from './group-copies.ts'

const broken = (file: string, target: string, line = 1) =>
  diagnose(
    'link/broken',
    { file, line, column: 1 },
    { message: `Broken link: \`${target}\` does not exist.`, hint: 'Correct the link.' },
  )

/** Returns the places of the findings in each group, starting with the first finding. */
const filesOf = (...findings: Parameters<typeof groupCopies>[0]) =>
  groupCopies(findings).map(({ first, copies }) =>
    [first, ...copies].map(({ place }) => `${place.file}:${place.line}`),
  )

test('the same finding in several versions and languages is one group', () => {
  expect(
    filesOf(
      broken('en/start.mdx', '/en/gone', 4),
      broken('pt-BR/start.mdx', '/pt-BR/gone', 9),
      broken('v1.10.0/en/start.mdx', '/v1.10.0/en/gone'),
      broken('edge/ja/start.mdx', '/edge/ja/gone'),
      broken('start.mdx', '/gone'),
    ),
  ).toEqual([
    [
      'en/start.mdx:4',
      'pt-BR/start.mdx:9',
      'v1.10.0/en/start.mdx:1',
      'edge/ja/start.mdx:1',
      'start.mdx:1',
    ],
  ])
})

test('findings on different pages, with different messages or in different folders are not grouped', () => {
  expect(
    filesOf(
      broken('en/start.mdx', '/gone'),
      broken('fr/end.mdx', '/gone'),
      broken('fr/start.mdx', '/lost'),
      broken('guides/start.mdx', '/gone'),
      broken('go/start.mdx', '/gone'),
    ),
  ).toHaveLength(5)
})

test('two findings with the same message on one page are not copies of each other', () => {
  expect(
    filesOf(
      broken('en/start.mdx', '/gone', 2),
      broken('en/start.mdx', '/gone', 7),
      broken('fr/start.mdx', '/gone', 3),
    ),
  ).toEqual([['en/start.mdx:2', 'fr/start.mdx:3'], ['en/start.mdx:7']])
})
