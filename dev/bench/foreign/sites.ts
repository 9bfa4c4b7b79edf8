/** Another project's documentation site, in a public repository. */
export interface ForeignSite {
    /** `owner/name` on GitHub. */
    readonly repository: string;
    /** The folder of its settings file; "." for the repository's root. */
    readonly folder: string;
}

export const foreignSites: readonly ForeignSite[] = [
    { repository: "0xsequence/docs-v3", folder: "." },
    { repository: "AgentOps-AI/agentops", folder: "docs" },
    { repository: "All-Hands-AI/docs", folder: "docs" },
    { repository: "Bytez-com/docs", folder: "docs" },
    { repository: "Cloudanix/docs", folder: "docs" },
    { repository: "coinbase/x402", folder: "docs" },
    { repository: "continuedev/continue", folder: "docs" },
    { repository: "dubinc/docs", folder: "." },
    { repository: "e2b-dev/docs", folder: "." },
    { repository: "langchain-ai/docs", folder: "src" },
    { repository: "mem0ai/mem0", folder: "docs" },
    { repository: "mindsdb/mindsdb", folder: "docs" },
    { repository: "mintlify/docs", folder: "." },
    { repository: "modelcontextprotocol/modelcontextprotocol", folder: "docs" },
    { repository: "openlit/openlit", folder: "docs" },
    { repository: "spree/spree", folder: "docs" },
];
