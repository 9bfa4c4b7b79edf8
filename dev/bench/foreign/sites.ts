/** Another project's documentation site, in a public repository. */
export interface ForeignSite {
    /** `owner/name` on GitHub. */
    readonly repository: string;
    /** The folder of its settings file; "." for the repository's root. */
    readonly folder: string;
}

export const foreignSites: readonly ForeignSite[] = [
    { repository: "0xsequence/docs-v3", folder: "." },
    { repository: "Abstract-Foundation/abstract-docs", folder: "." },
    { repository: "ActianCorp/vectorai-db-docs", folder: "." },
    { repository: "AdamikHQ/adamik-documentation", folder: "." },
    { repository: "AgentOps-AI/agentops", folder: "docs" },
    { repository: "All-Hands-AI/docs", folder: "docs" },
    { repository: "browserbase/docs", folder: "." },
    { repository: "Bytez-com/docs", folder: "docs" },
    { repository: "Cloudanix/docs", folder: "docs" },
    { repository: "coinbase/x402", folder: "docs" },
    { repository: "continuedev/continue", folder: "docs" },
    { repository: "CrewForm/crewform", folder: "docs" },
    { repository: "dubinc/docs", folder: "." },
    { repository: "e2b-dev/docs", folder: "." },
    { repository: "helius-labs/docs", folder: "." },
    { repository: "hypermodeinc/docs", folder: "." },
    { repository: "langchain-ai/docs", folder: "src" },
    { repository: "mem0ai/mem0", folder: "docs" },
    { repository: "mindsdb/mindsdb", folder: "docs" },
    { repository: "mintlify/docs", folder: "." },
    { repository: "modelcontextprotocol/modelcontextprotocol", folder: "docs" },
    { repository: "openlit/openlit", folder: "docs" },
    { repository: "Portkey-AI/docs-core", folder: "." },
    { repository: "PrefectHQ/prefect", folder: "docs" },
    { repository: "spree/spree", folder: "docs" },
    { repository: "upstash/docs", folder: "." },
];
