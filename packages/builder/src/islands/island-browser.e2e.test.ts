/** Checks islands in a browser, with the content security policy of built sites. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { islandModuleUrl } from '../compile/island-address.ts'
import { compileIslands } from './compile-islands.ts'
import { islandAssets } from './island-assets.ts'

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"

const SITE = new Map([
  [
    'snippets/counter.jsx',
    `import { Label } from './label.tsx'
     export const Counter = ({ from, step = 1 }) => {
       const [count, setCount] = useState(from)
       const [isReady, setReady] = useState(false)
       useEffect(() => setReady(true), [])
       return <Card title="Counter"><button className="count" onClick={() => setCount(count + step)}>
         <Label count={count} /></button>{isReady && <i>ready</i>}</Card>
     }
     export const Field = () => {
       const [text, setText] = React.useState('')
       return <label style={{ color: 'rgb(1, 2, 3)' }}><input onChange={(event) => setText(event.target.value)} />
         <output>{text.toUpperCase()}</output><svg><path strokeWidth={3} d="M0 0" /></svg></label>
     }`,
  ],
  [
    'snippets/label.tsx',
    'export const Label = ({ count }: { count: number }) => <b>{count} times</b>',
  ],
  [
    'broken.mdx',
    `export const Throws = () => { const ref = useRef(); return <b>{ref.missing.here}</b> }

     # A page

     export const Late = () => {
       const [isBroken, setBroken] = useState(false)
       if (isBroken) throw new Error('late')
       return <button id="late" onClick={() => setBroken(true)}>alive</button>
     }

     export const NotOne = 'text'`.replaceAll(/^ {5}/gm, ''),
  ],
  [
    'toggle.jsx',
    `export default ({ title, children }) => {
       const [isOpen, setOpen] = useState(false)
       return <section><button id="toggle" onClick={() => setOpen(!isOpen)}>{title}</button>
         {isOpen && <div className="open">{children}</div>}</section>
     }`,
  ],
])

type Shown = { readonly file: string; readonly name: string; readonly props?: object }

function island(id: string, { file, name, props = {} }: Shown, content: string): string {
  const data = JSON.stringify(props).replaceAll('"', '&quot;')
  const attributes = `id="${id}" data-module="${islandModuleUrl(file)}" data-name="${name}"`
  return `<octavo-island ${attributes} data-props="${data}">${content}</octavo-island>`
}

const counter = (id: string, from: number) =>
  island(
    id,
    { file: 'snippets/counter.jsx', name: 'Counter', props: { from, step: 2 } },
    '<p>static</p>',
  )

const INNER = counter('inner', 70)
const SLOTS = `<p>closed</p><template data-slot="title"><em>Title</em></template><template
  data-slot="children"><p class="slot">Slot</p>${INNER}</template>`

const BODY = [
  '<h1>Islands</h1>',
  counter('counter', 5),
  island('field', { file: 'snippets/counter.jsx', name: 'Field' }, '<p>static</p>'),
  island('throws', { file: 'broken.mdx', name: 'Throws' }, '<p>still here</p>'),
  island('breaks', { file: 'broken.mdx', name: 'Late' }, '<p>back again</p>'),
  island('text', { file: 'broken.mdx', name: 'NotOne' }, '<p>a text is no component</p>'),
  island('unknown', { file: 'toggle.jsx', name: 'constructor' }, '<p>no such component</p>'),
  island('lost', { file: 'lost.jsx', name: 'Lost' }, '<p>no such module</p>'),
  island('slots', { file: 'toggle.jsx', name: 'default' }, SLOTS),
  '<div class="gap"></div>',
  counter('far', 0),
].join('\n')

describe.skipIf(!HAS_CHROMIUM)(
  `islands in a browser (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let server: Server
    let browser: Browser
    let page: Page
    const messages: string[] = []
    const requested: string[] = []

    beforeAll(async () => {
      const { loader, runtime } = await islandAssets()
      const files = [...SITE.keys()].filter((file) => file !== 'snippets/label.tsx')
      const { modules, diagnostics } = await compileIslands({
        read: (path) => SITE.get(path),
        files,
        runtime,
      })
      expect(diagnostics).toEqual([])
      const scripts = new Map([loader, runtime, ...modules].map(({ path, code }) => [path, code]))
      scripts.set('/style.css', '.gap { height: 5000px } octavo-island { display: block }')
      const head = `<link rel="stylesheet" href="/style.css"><script type="module" src="${loader.path}"></script>`
      const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>a</title>${head}${BODY}</html>`
      server = createServer((request, response) => {
        const path = request.url ?? '/'
        requested.push(path)
        const code = path === '/' ? html : scripts.get(path)
        const type = /css$|js$/.exec(path)?.[0] ?? 'html'
        response.writeHead(code === undefined ? 404 : 200, {
          'content-type': type === 'js' ? 'text/javascript' : `text/${type}`,
          'content-security-policy': POLICY,
        })
        response.end(code)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      browser = await launchChromium()
      page = await browser.newPage()
      page.on('console', (message) => messages.push(message.text()))
      const { port } = server.address() as AddressInfo
      await page.goto(`http://127.0.0.1:${port}/`)
    })

    afterAll(async () => {
      await browser?.close()
      server?.close()
    })

    const textOf = (selector: string) => page.locator(selector).textContent()

    test('an island component has state and effects and reacts to a click', async () => {
      await page.locator('#counter i').waitFor()
      expect(await textOf('#counter')).toBe('Counter5 timesready')
      await page.locator('#counter button').click()
      await page.locator('#counter button').click()
      expect(await textOf('#counter button')).toBe('9 times')
    })

    test('an input in an island reacts to each key, and styles and SVG attributes are applied', async () => {
      await page.locator('#field input').pressSequentially('abc')
      expect(await textOf('#field output')).toBe('ABC')
      expect(await page.locator('#field label').getAttribute('style')).toBe('color: rgb(1, 2, 3);')
      expect(await page.locator('#field path').getAttribute('stroke-width')).toBe('3')
    })

    test('the static content remains if an island component throws on its first render', async () => {
      await expect.poll(() => messages.join()).toMatch(/reading 'here'/)
      await expect.poll(() => textOf('#throws')).toBe('still here')
    })

    test('the static content is shown again if an island component throws later', async () => {
      await page.locator('#late').click()
      await expect.poll(() => textOf('#breaks')).toBe('back again')
    })

    test("the static content remains if the island's component or module does not exist", async () => {
      await expect.poll(() => messages.join()).toMatch(/has no NotOne/)
      await expect.poll(() => messages.join()).toMatch(/has no constructor/)
      expect(await textOf('#text')).toBe('a text is no component')
      expect(await textOf('#unknown')).toBe('no such component')
      expect(await textOf('#lost')).toBe('no such module')
    })

    test('the content of the page fills the slots of an island, and islands in a slot start when shown', async () => {
      expect(await page.locator('#toggle em').textContent()).toBe('Title')
      expect(await page.locator('.slot').count()).toBe(0)
      await page.locator('#toggle').click()
      expect(await textOf('.slot')).toBe('Slot')
      await page.locator('#inner button').click()
      expect(await textOf('#inner button')).toBe('72 times')
    })

    test('an island outside the visible area starts when it is scrolled into view', async () => {
      expect(await textOf('#far')).toBe('static')
      await page.locator('#far').scrollIntoViewIfNeeded()
      await page.locator('#far button').click()
      expect(await textOf('#far button')).toBe('2 times')
    })

    test('the content security policy blocked nothing, and the runtime was requested only once', () => {
      expect(messages.filter((message) => /Security Policy/.test(message))).toEqual([])
      expect(requested.filter((path) => /runtime-/.test(path))).toHaveLength(1)
    })
  },
)
