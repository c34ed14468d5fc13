/**
 * Names that authors use without an import or from `react`: hooks, `React`, built-in components.
 * Each is a module of its own, so that a compiled file imports only those that it uses.
 */
import { COMPONENTS } from '@octavo/content'

export type GlobalModules = {
  /** The code of each module by its name. */
  readonly code: ReadonlyMap<string, string>
  /** The modules whose names are there without an import. */
  readonly injected: readonly string[]
}

/** What authors import React's names from. */
export const REACT_PACKAGES: ReadonlySet<string> = new Set([
  'react',
  'react-dom',
  'react/jsx-runtime',
  'preact',
  'preact/compat',
  'preact/hooks',
  'preact/jsx-runtime',
])

/** The name of the module that stands for React as a whole. No identifier can be that name. */
export const REACT_MODULE = 'react-names'

/** How one module of these imports another. */
export const GLOBAL_PREFIX = 'octavo-global:'

/** Names besides the hooks that are there without an import. */
const PLAIN_NAMES = ['React', 'Fragment', 'createContext', 'createElement', 'forwardRef', 'memo']

/** Makes the modules. `address` is where a compiled module finds the runtime. */
export function globalModules(address: string, names: readonly string[]): GlobalModules {
  const from = JSON.stringify(address)
  const code = new Map<string, string>()
  for (const name of names) code.set(name, `export { ${name} } from ${from}`)
  const injected = names.filter((name) => /^use[A-Z]/.test(name) || PLAIN_NAMES.includes(name))
  // A name that is not among these is told at build time, with its place.
  const react = ['React as default', ...names].map(
    (name) => `export { ${name} } from "${GLOBAL_PREFIX}${name.split(' ')[0]}"`,
  )
  code.set(REACT_MODULE, react.join('\n'))
  for (const [name, members] of componentFamilies()) {
    const make = `/* @__PURE__ */ builtIn(${JSON.stringify(name)}, ${JSON.stringify(members)})`
    code.set(name, `import { builtIn } from ${from}\nexport const ${name} = ${make}`)
    injected.push(name)
  }
  return { code, injected }
}

/** `Tree.Folder` is a member of `Tree`. */
function componentFamilies(): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>()
  for (const component of COMPONENTS) {
    const [name = '', member] = component.split('.')
    const members = families.get(name) ?? []
    families.set(name, members)
    if (member !== undefined) members.push(member)
  }
  return families
}
