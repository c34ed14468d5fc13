/** A test site with everything that page scripts handle. */
import type { Files } from './temporary-site.ts'

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="400"><rect width="800" height="400" fill="#0f766e"/><circle cx="400" cy="200" r="120" fill="#fff"/></svg>`
const FILLER = 'A paragraph that takes room, so that there is something to scroll over.\n\n'

const INSTALL = `<Tabs>
  <Tab title="npm" icon="box">

Install it with npm.

\`\`\`bash
npm install octavo
\`\`\`

  </Tab>
  <Tab title="yarn">

Install it with yarn, which takes a little longer to explain.

### Inside yarn

${FILLER.repeat(4)}

  </Tab>
  <Tab title="pnpm">

Install it with pnpm.

  </Tab>
</Tabs>`

const GROUP = `\`\`\`bash npm
npm run build
\`\`\`

\`\`\`bash yarn
yarn build
yarn test
yarn publish
\`\`\``

export const SCRIPT_SITE: Files = {
  'docs.json': JSON.stringify({
    name: 'Scripts',
    theme: 'mint',
    colors: { primary: '#0f766e', light: '#2dd4bf', dark: '#115e59' },
    banner: { content: 'There is something **new**.', dismissible: true },
    navigation: {
      pages: ['index', 'second', 'diagrams', 'hostile', 'changelog', 'views', 'plain'],
    },
  }),
  'picture.svg': PICTURE,
  'index.mdx': `---
title: Start
---

${INSTALL}

After the tabs.

## Code

\`\`\`js Example {1}
const one = 1 // [!code --]
const two = 2
\`\`\`

<CodeGroup>

${GROUP}

</CodeGroup>

## Pictures

<Frame>
  <img src="/picture.svg" alt="A circle" width="800" height="400" />
</Frame>

${FILLER.repeat(6)}

## Closed

<Accordion title="More of it">

### Inside the accordion

Hidden at first.

</Accordion>

<Tabs sync={false} defaultTabIndex={1}>
  <Tab title="npm">Alone one.</Tab>
  <Tab title="yarn">Alone two.</Tab>
</Tabs>

${FILLER.repeat(20)}

## End

${FILLER.repeat(20)}
`,
  'second.mdx': `---
title: Second
---

${INSTALL}

After the tabs.

<CodeGroup dropdown>

${GROUP}

</CodeGroup>

The end.
`,
  'diagrams.mdx': `---
title: Diagrams
---

\`\`\`mermaid
flowchart LR
  A[Write] --> B{Check}
  B -->|good| C[Publish]
  B -->|bad| A
\`\`\`

\`\`\`mermaid
sequenceDiagram
  Reader->>Site: GET /
  Site-->>Reader: HTML
\`\`\`

\`\`\`mermaid
this is no diagram
\`\`\`
`,
  'hostile.mdx': `---
title: Hostile
---

\`\`\`mermaid
flowchart LR
  A[<img src=x onerror="document.body.dataset.pwned=1">] --> B
  click B "javascript:document.body.dataset.pwned=1"
\`\`\`

\`\`\`mermaid
flowchart LR
  A[<img src=x onerror="document.body.dataset.pwned=1">ping] --> B["</text><script>document.body.dataset.pwned=1</script>pong"]
\`\`\`
`,
  'changelog.mdx': `---
title: Changes
---

<Update label="May" tags={["API", "Fixes"]}>

May text.

</Update>

<Update label="April" tags={["API"]}>

April text.

</Update>

<Update label="March">

March text.

</Update>
`,
  'views.mdx': `---
title: Views
---

<View title="JavaScript">

## In JavaScript

${FILLER.repeat(3)}

</View>

<View title="Python">

## In Python

Python text.

</View>

## For all

After the views.
`,
  'plain.mdx': `---
title: Plain
---

Only text.
`,
}
