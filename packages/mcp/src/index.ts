export { type AnswerMcp, createMcpAnswerer } from './answer-request.ts'
export { createDocsServer, type DocsServerOptions } from './create-docs-server.ts'
export type {
  DocsSite,
  LiveDeployment,
  NoDeployment,
  ProblemReport,
  Since,
  SiteChanges,
} from './docs-site.ts'
export { docsTools, type ToolName } from './docs-tools.ts'
export { MCP_HEADERS, type McpAnswer, type McpHeaders } from './mcp-request.ts'
export { runTool, type ToolResult } from './run-tool.ts'
export { type StdioStreams, serveDocs } from './serve-stdio.ts'
