import { type ForgeKind } from "../../../../service/src/forge/forge-kinds.js";

interface Answered {
    link: unknown;
    branch: string;
    base?: string;
    /** The repository with the branch; another one for a pull request from a fork. */
    from?: string;
    /** @default "acme/docs" */
    path?: string;
}

/** A pull request as this forge's API describes it, with the fields that the references document and we use. */
export function pullRequestAnswer(kind: ForgeKind, answered: Answered): object {
    const { link, branch, base = "main", path = "acme/docs", from = path } = answered;
    if (kind === "gitlab") {
        return {
            ...{ iid: 1, state: "opened", web_url: link, source_branch: branch, target_branch: base },
            source_project_id: from === path ? 7 : 8,
            target_project_id: 7,
        };
    }
    return {
        ...{ number: 1, state: "open", html_url: link },
        head: { label: `${from.split("/")[0]}:${branch}`, ref: branch, repo: { full_name: from } },
        base: { label: base, ref: base, repo: { full_name: path } },
    };
}
