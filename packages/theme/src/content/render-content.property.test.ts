import type { ComponentNode, Data, PageNode } from '@octavo/content'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testIcons } from '../../testing/few-icons.ts'
import { unsafeHtml } from '../../testing/unsafe-html.ts'
import { escapeHtml } from '../markup/html.ts'
import { COMPONENT_WRITERS } from './components.ts'
import { renderContent } from './render-content.ts'

const HOSTILE = [
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  ' JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '" onclick="alert(1)',
  "' onmouseover='alert(1)",
  '</pre></code><img src=x onerror=alert(1)>',
  '<!--',
  '&lt;script&gt;',
  '</details><base href=//evil>',
  '//evil.example',
]

const text = fc.oneof(
  fc.string(),
  fc.constantFrom(...HOSTILE),
  fc.constantFrom('', 'a', 'h2', 'rocket'),
)
const name = fc.constantFrom(
  ...'title href icon img src cta tip headline caption hint label description tags type id path query body name default value color repo language cols titleSize stepNumber defaultTabIndex required onclick for variant darkSrc width height rss iconType iconLibrary size shape className style actions placement actionsPlacement placeholder pre post cursor background chart'.split(
    ' ',
  ),
)
const data: fc.Arbitrary<Data> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('light', 'dark', 'x'), text),
)
const tag = fc.oneof(
  fc.constantFrom(
    ...'p a img video iframe input table td div script style iframe svg use base link object'.split(
      ' ',
    ),
  ),
  text,
)
const attribute = fc.oneof(
  fc.constantFrom(
    ...'href src class id onclick onload srcdoc style alt srcset poster width height actions actionsplacement autoplay title type disabled'.split(
      ' ',
    ),
  ),
  text,
)

const { nodes } = fc.letrec<{ node: PageNode; nodes: readonly PageNode[] }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }),
  node: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.record({
      kind: fc.constant('code' as const),
      language: fc.option(text, { nil: undefined }),
      options: fc.record(
        {
          title: text,
          icon: text,
          theme: text,
          placement: text,
          lines: fc.boolean(),
          wrap: fc.boolean(),
          expandable: fc.boolean(),
          highlight: fc.array(fc.integer({ min: 1, max: 5 })),
        },
        { requiredKeys: [] },
      ),
      text,
    }),
    fc.record({ kind: fc.constant('math' as const), display: fc.boolean(), text }),
    fc.record({
      kind: fc.constant('element' as const),
      tag,
      attributes: fc.option(fc.dictionary(attribute, fc.oneof(text, fc.constant(true as const))), {
        nil: undefined,
      }),
      children: tie('nodes'),
    }),
    fc.record({
      kind: fc.constant('heading' as const),
      level: fc.integer({ min: 1, max: 6 }),
      id: text,
      children: tie('nodes'),
    }),
    fc.record({
      kind: fc.constant('component' as const),
      name: fc.constantFrom(...COMPONENT_WRITERS.keys()),
      props: fc.dictionary(name, data),
      slots: fc.option(fc.dictionary(name, tie('nodes'), { maxKeys: 2 }), { nil: undefined }),
      children: tie('nodes'),
    }) as fc.Arbitrary<ComponentNode>,
    fc.record({
      kind: fc.constant('island' as const),
      name: text,
      source: fc.record({ file: text, name: text }),
      props: fc.dictionary(name, data),
      slots: fc.constant(undefined),
      children: tie('nodes'),
    }),
  ),
}))

describe('arbitrary page trees', () => {
  test('a rendered tree has no script, event handler, unsafe URL or unescaped character', () => {
    const icons = testIcons()
    const highlight = (code: string) => code.split('\n').map(escapeHtml)
    fc.assert(
      fc.property(nodes, (tree) => {
        expect(unsafeHtml(renderContent(tree, { highlight, icons }))).toEqual([])
      }),
    )
  })
})
