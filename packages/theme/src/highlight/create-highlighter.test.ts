import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHighlighter, HIGHLIGHT_LIMITS } from './create-highlighter.ts'

const highlighter = createHighlighter()
beforeAll(() => highlighter.load(['ts', 'python', 'bash', 'json', 'yaml']))

function lines(code: string, language: string | undefined): readonly string[] {
  return highlighter.highlight(code, language)
}

/** Returns the code without its HTML tags. */
function textOf(html: readonly string[]): string {
  return html
    .join('\n')
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

describe('highlighted code', () => {
  test('each kind of token in highlighted code has its own class', () => {
    expect(lines("const a: Date = go('x', 1) // why", 'ts')).toEqual([
      '<span class="t-keyword">const </span><span class="t-number">a</span>: <span class="t-type">Date </span>= <span class="t-function">go</span>(<span class="t-string">\'x\'</span>, <span class="t-number">1</span>) <span class="t-comment">// why</span>',
    ])
  })

  test('strings and comments across several lines are highlighted', () => {
    const [first, second, third] = lines('"""Says\nwhat."""\nreturn 1', 'python')
    expect(first).toContain('t-')
    expect(second).toContain('t-')
    expect(third).toBe('<span class="t-keyword">return </span><span class="t-number">1</span>')
    expect(lines('cat <<EOF\nif x\nEOF\nif true; then', 'bash').at(-1)).toContain(
      '<span class="t-keyword">if </span>',
    )
  })

  test('tags and frontmatter inside MDX are highlighted', async () => {
    const mdx = createHighlighter()
    await mdx.load(['mdx'])
    expect(mdx.highlight('---\ntitle: A\n---\n\n<Card cols={2}>*a*</Card>', 'mdx')).toEqual([
      '<span class="t-string">---</span>',
      '<span class="t-name">title</span>: <span class="t-string">A</span>',
      '<span class="t-string">---</span>',
      '',
      '&lt;<span class="t-type">Card </span><span class="t-attribute">cols</span>={<span class="t-number">2</span>}&gt;<span class="t-string">*</span>a<span class="t-string">*</span>&lt;/<span class="t-type">Card</span>&gt;',
    ])
  })

  test('the language names that authors write are recognized', async () => {
    await highlighter.load(['curl', 'JSON', 'golang'])
    expect(lines('curl -X POST', 'curl')[0]).toContain('t-function')
    expect(lines('{"a": null}', 'JSON')[0]).toContain('t-keyword')
    expect(lines('return 1', 'GoLang')[0]).toContain('t-keyword')
  })

  test('code in an unknown or unloaded language is plain and escaped', async () => {
    await highlighter.load(['klingon', '../../secret', 'constructor', ''])
    for (const language of ['klingon', '../../secret', 'constructor', 'rust', '', undefined]) {
      expect(lines('<a>\n"b" & c', language)).toEqual(['&lt;a&gt;', '&quot;b&quot; &amp; c'])
    }
  })

  test('highlighting does not depend on other loaded languages', async () => {
    const alone = createHighlighter()
    const among = createHighlighter()
    const code = '# Title\n\n```python\ndef a(): pass\n```\n'
    await alone.load(['markdown'])
    await among.load(['python', 'markdown', 'html'])
    expect(alone.highlight(code, 'markdown')).toEqual(among.highlight(code, 'markdown'))
  })

  test('highlighting does not depend on earlier code, although lines are cached', async () => {
    const quotes = ['"', "'", '`', '"'.repeat(3), '${', '}', '{', '/*', '*/', '<<EOF', 'EOF']
    const part = fc.constantFrom(
      ...quotes,
      '# ',
      '- a: |',
      '\n',
      '\n',
      '\n',
      ' ',
      'if x',
      'return 1',
    )
    const texts = fc.sample(fc.array(part, { maxLength: 40 }), { numRuns: 150, seed: 5 })
    const codes = texts.map((parts) => parts.join(''))
    const names = ['ts', 'python', 'bash', 'yaml']
    const forwards = createHighlighter()
    const backwards = createHighlighter()
    for (const { load } of [forwards, backwards]) await load(names)
    for (const name of names) {
      const one = codes.map((code) => forwards.highlight(code, name))
      const other = codes.toReversed().map((code) => backwards.highlight(code, name))
      expect(one).toEqual(other.toReversed())
    }
  })

  test('highlighting does not change the text of the code', () => {
    const code = fc.oneof(
      fc.string(),
      fc.array(
        fc.constantFrom('"', "'", '`', '<', '${', '}', '#', '\n', ' ', 'if', '/*', '&', 'é'),
        {
          maxLength: 30,
        },
      ),
    )
    fc.assert(
      fc.property(
        code,
        fc.constantFrom('ts', 'python', 'bash', 'json', 'yaml'),
        (written, name) => {
          const text = (typeof written === 'string' ? written : written.join('')).replaceAll(
            '\r',
            '',
          )
          expect(textOf(lines(text, name))).toBe(text)
        },
      ),
    )
  })
})

describe('highlighting limits', () => {
  test('code that is too long is plain', () => {
    const code = 'const a = 1\n'.repeat(HIGHLIGHT_LIMITS.textLengthMax / 12 + 1)
    expect(lines(code, 'ts')[0]).toBe('const a = 1')
  })

  test('code with a line that is too long is plain', () => {
    const at = (length: number) => `const a = 1\n${'x'.repeat(length)}`
    expect(lines(at(HIGHLIGHT_LIMITS.lineLengthMax), 'ts')[0]).toContain('t-keyword')
    expect(lines(at(HIGHLIGHT_LIMITS.lineLengthMax + 1), 'ts')[0]).toBe('const a = 1')
  })

  test('code is plain if a pattern overflows the stack', async () => {
    await highlighter.load(['cpp'])
    const code = 'a::'.repeat(1_663)
    expect(textOf(lines(code, 'cpp'))).toBe(code)
  })

  test.each([
    ['ts', '`${'],
    ['python', 'f"""{'],
  ])(
    'code in %s that nests deeper on each line is highlighted quickly up to the limit',
    (name, line) => {
      const code = `${line}\n`.repeat(15_000)
      const started = performance.now()
      const colored = lines(code, name)
      expect(textOf(colored)).toBe(code)
      expect(colored[0]).toContain('t-')
      expect(colored.at(-2)).not.toContain('t-')
      // Without the limit, highlighting takes more than a minute.
      expect(performance.now() - started).toBeLessThan(10_000)
    },
  )
})
