/**
 * Warms up the parser, the renderer and the most common grammars while the site is still being
 * read. It runs in the process that will compile the author's first page.
 */
import { createPageCompiler } from './compile-page.ts'

type Highlighter = NonNullable<Parameters<typeof createPageCompiler>[1]>

/** Code samples, sorted by how often their language occurs in real documentation. */
const SAMPLES: readonly (readonly [language: string, code: string])[] = [
  ['bash', 'curl -X POST "https://a.test/b" \\\n  -H "C: d" | jq .e # f\nexport G=h && npm run i'],
  ['json', '{\n  "a": [1, true, null],\n  "b": { "c": "d" }\n}'],
  [
    'ts',
    "import { a } from 'b'\n\nexport async function c(d: string): Promise<number> {\n  const e = await a({ f: 1, g: [d] })\n  // h\n  if (!e.ok) throw new Error(`i`)\n  return e.json() as number\n}",
  ],
  [
    'python',
    'import a\nfrom b import c\n\nclass D(c):\n    def e(self, f: str = "g") -> int:\n        """h"""\n        return a.i(f, j=[1, None])  # k',
  ],
  ['js', "const a = require('b')\n\na.c({ d: 'e' }).then((f) => console.log(`g`, f.h)) // i"],
  ['yaml', 'a:\n  - b: c # d\n    e: "f"'],
]

/** Compiles samples to warm up the process, until the process has real work to do. */
export async function warmUp(highlighter: Highlighter, isNeeded: () => boolean): Promise<void> {
  for (const [language, code] of SAMPLES) {
    if (!isNeeded()) return
    const text = `---\ntitle: A\n---\n\n## B\n\nC **d** [e](/f).\n\n<Note>G</Note>\n\n| H | I |\n|---|---|\n| j | k |\n\n- l\n\n\`\`\`${language}\n${code}\n\`\`\`\n`
    const compile = createPageCompiler(
      {
        read: () => text,
        variables: {},
        iconLibrary: undefined,
        factsOf: () => ({ exists: false, size: undefined }),
      },
      highlighter,
    )
    await compile('page.mdx')
    // Yield to the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
