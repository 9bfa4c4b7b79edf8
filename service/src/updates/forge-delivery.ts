import { createHash, createHmac } from "node:crypto";
import { type IncomingHttpHeaders } from "node:http";
import { areEqualSecrets } from "../shared/equal-secrets.js";

/** A webhook request from a forge. */
export interface Delivery {
    headers: IncomingHttpHeaders;
    /** The bytes that the forge signed. */
    rawBody: Buffer;
    body: unknown;
}

/** A push to one branch. */
export interface Push {
    /** The trigger of an update, as the platform calls it. */
    startedBy: "github" | "gitlab";
    branch: string;
    /** The repository's default branch, if the forge sends it. */
    defaultBranch: string | undefined;
}

const signatureHeader = "x-hub-signature-256";
const tokenHeader = "x-gitlab-token";

/** Whether a request contains a signature or a token: otherwise, its body is not read. */
export function hasProof(headers: IncomingHttpHeaders): boolean {
    return headers[signatureHeader] !== undefined || headers[tokenHeader] !== undefined;
}

/** Whether a delivery proves that its sender has the secret: by GitHub's signature, or by GitLab's token. */
export function isFromForge({ headers, rawBody }: Delivery, secret: string): boolean {
    const { [signatureHeader]: signature, [tokenHeader]: token } = headers;
    if (signature !== undefined) {
        return areEqualSecrets(
            String(signature),
            `sha256=${createHmac("sha256", secret).update(rawBody).digest("hex")}`,
        );
    }
    return token !== undefined && areEqualSecrets(String(token), secret);
}

/**
 * Identifies a delivery, even when it is sent again. GitHub's id is not signed, so only the body counts. On GitLab, two
 * pushes may have the same body, and the id is as trustworthy as the token.
 */
export function deliveryKey({ headers, rawBody }: Delivery): string {
    const id =
        headers[signatureHeader] === undefined ? (headers["idempotency-key"] ?? headers["x-gitlab-event-uuid"]) : "";
    return createHash("sha256")
        .update(`${String(id ?? "")}\n`)
        .update(rawBody)
        .digest("hex");
}

/** The push that a delivery reports; undefined for another event, a tag, or a deleted branch. */
export function parsePush({ headers, body }: Delivery): Push | undefined {
    const isGitLab = headers["x-gitlab-event"] !== undefined;
    const isPush = isGitLab ? headers["x-gitlab-event"] === "Push Hook" : headers["x-github-event"] === "push";
    const { ref, after, repository, project } = fieldsOf(body);
    const [, branch] = typeof ref === "string" ? (/^refs\/heads\/(.+)$/.exec(ref) ?? []) : [];
    // A deleted branch has no commit.
    if (!isPush || branch === undefined || (typeof after === "string" && /^0+$/.test(after))) {
        return undefined;
    }
    const { default_branch: defaultBranch } = fieldsOf(isGitLab ? project : repository);
    return {
        startedBy: isGitLab ? "gitlab" : "github",
        branch,
        defaultBranch: typeof defaultBranch === "string" ? defaultBranch : undefined,
    };
}

function fieldsOf(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
