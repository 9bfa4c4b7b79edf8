export { createAnswerServer, type AnswerServer, type AnswerServerSettings } from "./http/answer-server.js";
export { type ReaderHeaders } from "./http/reader-headers.js";
export { createMcpServer, serveMcpOverStdio, type McpServerSettings } from "./mcp/mcp-server.js";
export { type Reader } from "./site/access-rules.js";
export { ExportedSite, type SitePage } from "./site/exported-site.js";
export { type ListedPage } from "./site/page-list.js";
export { type SearchRequest, type SiteHit } from "./site/search-site.js";
export { FolderFiles, type SiteFiles } from "./site/site-files.js";
export { WebFiles } from "./site/web-files.js";
