/** A test site with feedback forms, in two languages and with all kinds of code blocks. */
import type { Files } from './temporary-site.ts'

const CODE = `\`\`\`js Example
const one = 1
const two = 2
\`\`\`

\`\`\`bash
npm install octavo
\`\`\`

<CodeGroup>

\`\`\`bash npm
npm run build
\`\`\`

\`\`\`bash yarn
yarn build
\`\`\`

</CodeGroup>
`

export const feedbackSite = (feedback: Readonly<Record<string, boolean>>): Files => ({
  'docs.json': JSON.stringify({
    name: 'Garden',
    theme: 'mint',
    colors: { primary: '#0f766e', light: '#2dd4bf', dark: '#115e59' },
    feedback,
    navigation: {
      languages: [
        { language: 'en', groups: [{ group: 'Care', pages: ['index', 'water', 'soil'] }] },
        { language: 'ar', groups: [{ group: 'العناية', pages: ['ar/water'] }] },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Garden\n---\n\nPlants and how to keep them.\n',
  'water.mdx': `---\ntitle: Water\n---\n\nPlants need water every morning.\n\n${CODE}\n## Hose\n\nTurn on the hose.\n`,
  'soil.mdx': '---\ntitle: Soil\n---\n\nMix compost into heavy soil before planting tomatoes.\n',
  'ar/water.mdx': `---\ntitle: الماء\n---\n\nتحتاج النباتات إلى الماء كل صباح.\n\n${CODE}\n`,
})
