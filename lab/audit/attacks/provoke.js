// In the page: does to every element what a reader might, and looks for what should not be there.
;(() => {
  const events = ['click', 'mouseover', 'focus', 'error', 'load', 'toggle', 'begin', 'animationend']
  const ADDRESSES = /^(?:(?:xlink:)?href|src|action|data|poster|srcset)$/i
  const unsafe = []
  document.addEventListener('click', (event) => event.preventDefault())
  for (const element of [...document.querySelectorAll('*')].slice(0, 5_000)) {
    if (/^(?:script|base|object|embed|frame)$/i.test(element.localName) && !isOurs(element)) {
      unsafe.push(`<${element.localName}>`)
    }
    if (element.localName === 'style') unsafe.push(`<style>${element.textContent}`)
    for (const { name, value } of element.attributes) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip these.
      const address = value.replaceAll(/[\u0000-\u0020]/g, '')
      if (/^on|^srcdoc$|^formaction$/i.test(name)) unsafe.push(name)
      if (/^(?:javascript|vbscript|data:text)/i.test(address) && ADDRESSES.test(name)) {
        unsafe.push(`${name}="${address.slice(0, 60)}"`)
      }
    }
    for (const name of events) element.dispatchEvent(new Event(name))
  }
  return unsafe

  /** The scripts of the theme stand outside the content; their text is held by the policy and its tests. */
  function isOurs(element) {
    if (element.localName !== 'script' || element.closest('main') !== null) return false
    const address = element.getAttribute('src')
    if (address !== null) return address.startsWith('/_octavo/')
    return element.textContent === '0' || element.textContent.startsWith('{const d=document,')
  }
})()
