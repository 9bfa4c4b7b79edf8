/** Another project's documentation site, in a public repository. */
export interface ForeignSite {
    /** `owner/name` on GitHub. */
    readonly repository: string;
    /** The folder of its settings file; "." for the repository's root. */
    readonly folder: string;
}

export const foreignSites: readonly ForeignSite[] = [
    { repository: "0xsequence/docs-v3", folder: "." },
    { repository: "0xsequence/trails-docs", folder: "." },
    { repository: "Abstract-Foundation/abstract-docs", folder: "." },
    { repository: "ActianCorp/vectorai-db-docs", folder: "." },
    { repository: "AdamikHQ/adamik-documentation", folder: "." },
    { repository: "AgentOps-AI/agentops", folder: "docs" },
    { repository: "AgentOps-AI/AgentStack", folder: "docs" },
    { repository: "All-Hands-AI/docs", folder: "docs" },
    { repository: "browserbase/docs", folder: "." },
    { repository: "Bytez-com/docs", folder: "docs" },
    { repository: "Cloudanix/docs", folder: "docs" },
    { repository: "coinbase/x402", folder: "docs" },
    { repository: "Comfy-Org/docs", folder: "." },
    { repository: "continuedev/continue", folder: "docs" },
    { repository: "CrewForm/crewform", folder: "docs" },
    { repository: "dubinc/docs", folder: "." },
    { repository: "e2b-dev/docs", folder: "." },
    { repository: "fastify/fastify", folder: "docs" },
    { repository: "firecrawl/firecrawl-docs", folder: "." },
    { repository: "goldbergyoni/nodebestpractices", folder: "." },
    { repository: "helius-labs/docs", folder: "." },
    { repository: "hypermodeinc/docs", folder: "." },
    { repository: "jlowin/fastmcp", folder: "docs" },
    { repository: "langchain-ai/docs", folder: "src" },
    { repository: "livepeer/docs", folder: "." },
    { repository: "lmnr-ai/docs", folder: "." },
    { repository: "mem0ai/mem0", folder: "docs" },
    { repository: "mindsdb/mindsdb", folder: "docs" },
    { repository: "mintlify/docs", folder: "." },
    { repository: "modelcontextprotocol/modelcontextprotocol", folder: "docs" },
    { repository: "NangoHQ/nango", folder: "docs" },
    { repository: "openlit/openlit", folder: "docs" },
    { repository: "polarsource/polar", folder: "docs" },
    { repository: "Portkey-AI/docs-core", folder: "." },
    { repository: "PrefectHQ/prefect", folder: "docs" },
    { repository: "Scale3-Labs/langtrace-docs", folder: "." },
    { repository: "spree/spree", folder: "docs" },
    { repository: "triggerdotdev/trigger.dev", folder: "docs" },
    { repository: "tursodatabase/turso-docs", folder: "." },
    { repository: "unkeyed/unkey", folder: "docs/product" },
    { repository: "Unstructured-IO/docs", folder: "." },
    { repository: "upstash/docs", folder: "." },
    { repository: "usebruno/bruno-docs", folder: "." },
];
