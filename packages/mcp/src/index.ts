export {
  type AnswerMcp,
  createMcpAnswerer,
  MCP_HEADERS,
  type McpAnswer,
} from './answer-request.ts'
export { createDocsServer, type DocsServerOptions } from './create-docs-server.ts'
export type { DocsSite, ProblemReport } from './docs-site.ts'
export { docsTools, type ToolName } from './docs-tools.ts'
export { runTool, type ToolResult } from './run-tool.ts'
export { type StdioStreams, serveDocs } from './serve-stdio.ts'
