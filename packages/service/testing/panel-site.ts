/** Opens a site with an assistant in Chromium, as a reader would. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
export const HAS_CHROMIUM = existsSync(CHROMIUM)

const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/**
 * Starts Chromium with rules that send all requests for sites, with URLs at port 8080, to the
 * service.
 */
export function launchFor(port: number, ...rules: readonly string[]): Promise<Browser> {
  const mapped = [`MAP *.localhost 127.0.0.1:${port}`, ...rules].join(', ')
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...args, `--host-resolver-rules=${mapped}`],
  })
}

export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({ viewport: WIDE, ...options })
  const page: Page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(address)
  const button = page.locator('.oct-ask')
  await button.waitFor()
  const panel = page.locator('octavo-assistant')
  const field = panel.locator('textarea')
  const press = (name: string) => panel.getByRole('button', { name, exact: true }).click()
  return {
    page,
    panel,
    field,
    button,
    press,
    /** The URLs of all requests and the messages of all script errors. */
    asked,
    errors,
    open: async () => {
      await button.click()
      await field.waitFor()
    },
    /** Asks a question and waits for the complete answer. */
    ask: async (question: string) => {
      const before = await panel.locator('.rate').count()
      await field.fill(question)
      await field.press('Enter')
      await panel.locator('.rate').nth(before).waitFor()
    },
    answer: () => panel.locator('.say:not(.match *)').last().innerText(),
  }
}
